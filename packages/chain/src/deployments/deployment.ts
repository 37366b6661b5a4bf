import {
  BardoError,
  type ChainName,
  type ContractName,
  canonicalFramework,
  earlierEnforcers,
  type Framework,
  supportedChains,
} from '@bardo/core'
import { planFor } from '@bardo/deploy'
import type { Address } from 'viem'

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

/** The supported chains, and the local devnet. */
export const supportedChainIds: readonly number[] = Object.values(supportedChains).map(({ id }) => id)

/**
 * The addresses on a chain, computed. No address comes from input, except the devnet's framework.
 *
 * @param devnetFramework - the framework of a local devnet. Default: MetaMask's addresses; a devnet created
 *   by version 0.1 has others.
 * @example
 * const { framework, contracts } = deploymentOn(8453)
 */
export function deploymentOn(chainId: number, devnetFramework?: Framework): Deployment {
  const chain = (Object.keys(supportedChains) as ChainName[]).find(
    (name) => supportedChains[name].id === chainId,
  )
  const framework = (chain === 'devnet' && devnetFramework) || canonicalFramework
  if (!chain)
    throw new BardoError(`Bardo does not support chain ${chainId}.`, {
      code: 'UNSUPPORTED_CHAIN',
      details: [`supported: ${supportedChainIds.join(', ')}`],
      docsPath: 'deployment.md',
    })
  const planned = planFor(chain, framework.DelegationManager).map(({ name, address }) => [name, address])
  // On a chain with its own registry, Bardo's registry is not part of the plan.
  const target = supportedChains[chain]
  const registry = 'identityRegistry' in target ? [['identityRegistry', target.identityRegistry]] : []
  const contracts = Object.fromEntries([...planned, ...registry]) as Record<ContractName, Address>
  return { chainId, chain, framework, contracts, earlier: earlierEnforcers }
}
