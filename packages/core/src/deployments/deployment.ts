import type { Address } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import { contractAddresses } from './contractAddresses.ts'
import type { ContractName } from './contractNames.ts'
import { earlierEnforcers } from './earlierEnforcers.ts'
import { canonicalFramework, type Framework } from './framework.ts'
import { type ChainName, supportedChains } from './supportedChains.ts'

/** The addresses of all contracts that Bardo uses on one chain. */
export type Deployment = {
  readonly chainId: number
  readonly chain: ChainName
  readonly framework: Framework
  /** Bardo's contracts, and the chain's identity registry. */
  readonly contracts: Readonly<Record<ContractName, Address>>
  /**
   * Version 1 of the enforcers. Roots that name them can be read, used and revoked; new roots never name
   * them.
   */
  readonly earlier: typeof earlierEnforcers
}

/** The ids of the supported chains and of the local devnet. */
export const supportedChainIds: readonly number[] = Object.values(supportedChains).map(({ id }) => id)

/**
 * The addresses on a chain. No address comes from input.
 *
 * @example
 * const { framework } = deploymentOn(8453)
 * framework.DelegationManager // '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3'
 */
export function deploymentOn(chainId: number): Deployment {
  const chain = (Object.keys(supportedChains) as ChainName[]).find(
    (name) => supportedChains[name].id === chainId,
  )
  if (!chain)
    throw new BardoError(`Bardo does not support chain ${chainId}.`, {
      code: 'UNSUPPORTED_CHAIN',
      details: [`supported: ${supportedChainIds.join(', ')}`],
      docsPath: 'deployment.md',
    })
  const contracts = { ...contractAddresses.shared, ...contractAddresses.byChain[chain] }
  return { chainId, chain, framework: canonicalFramework, contracts, earlier: earlierEnforcers }
}
