import { BardoError, type ChainName, type SupportedChain, supportedChains } from '@bardo/core'
import type { Address } from 'viem'
import { type PlannedContract, planDeployment } from './planDeployment.ts'

/** The chain with a name or an id. */
export function targetNamed(chain: string): ChainName {
  const names = Object.keys(supportedChains) as ChainName[]
  const target = names.find((name) => name === chain || `${supportedChains[name].id}` === chain)
  if (target) return target
  throw new BardoError(`Bardo does not support the chain '${chain}'.`, {
    code: 'UNSUPPORTED_CHAIN',
    remedy: `Choose one of ${names.map((name) => `${name} (${supportedChains[name].id})`).join(', ')}.`,
    docsPath: 'deployment.md',
  })
}

/**
 * The contracts of a chain, and their addresses.
 *
 * @param delegationManager - only for a devnet of version 0.1, whose DelegationManager has another address
 */
export function planFor(name: ChainName, delegationManager?: Address): PlannedContract[] {
  const { identityRegistry }: SupportedChain = supportedChains[name]
  return planDeployment({ identityRegistry, delegationManager })
}
