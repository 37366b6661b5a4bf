import { BardoError } from '@bardo/core'
import { type ContractName, planFor, type TargetName, targets } from '@bardo/deploy'
import type { Address } from 'viem'
import { type Framework, frameworkOn } from './framework.ts'

/** Where everything that Bardo uses stands on one chain. */
export type Deployment = {
  readonly chainId: number
  readonly chain: TargetName
  readonly framework: Framework
  /** Ours, and the chain's identity registry. */
  readonly contracts: Readonly<Record<ContractName, Address>>
}

/** The chains of the spec; the devnet builds its framework itself, and says where. */
export const supportedChainIds: readonly number[] = Object.values(targets).map(({ id }) => id)

/**
 * Where everything stands on a chain, by computation alone. No address is ever taken from input but the devnet's.
 *
 * @example
 * const { framework, contracts } = deploymentOn(8453)
 */
export function deploymentOn(chainId: number, devnetFramework?: Framework): Deployment {
  const chain = (Object.keys(targets) as TargetName[]).find((name) => targets[name].id === chainId)
  const framework = chain === 'devnet' ? devnetFramework : frameworkOn(chainId)
  if (!chain || !framework)
    throw new BardoError(`Bardo does not know chain ${chainId}.`, {
      code: 'UNSUPPORTED_CHAIN',
      details:
        chain === 'devnet'
          ? ['the devnet’s framework has to be given']
          : [`known: ${supportedChainIds.join(', ')}`],
      docsPath: 'deployment.md',
    })
  const planned = planFor(chain).map(({ name, address }) => [name, address])
  // Where the chain has a registry of its own, ours is no part of the plan.
  const target = targets[chain]
  const registry = 'identityRegistry' in target ? [['identityRegistry', target.identityRegistry]] : []
  const contracts = Object.fromEntries([...planned, ...registry]) as Record<ContractName, Address>
  return { chainId, chain, framework, contracts }
}
