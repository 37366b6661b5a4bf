import { BardoError } from '@bardo/core'

/** Refuses a chain that a wallet is not for. */
export function requireChain(chains: readonly number[], chainId: number): void {
  if (chains.includes(chainId)) return
  throw new BardoError('The wallet is not for this chain.', {
    code: 'UNSUPPORTED_CHAIN',
    details: [`requested chain: ${chainId}`, `the wallet’s chains: ${chains.join(', ')}`],
    docsPath: 'golem.md#wallets',
  })
}
