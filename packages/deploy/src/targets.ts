import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { type PlannedContract, planDeployment } from './planDeployment.ts'

/** A chain that Bardo supports. */
export type Target = {
  readonly id: number
  readonly currency: string
  /** Its ERC-8004 identity registry; the devnet gets Bardo's. */
  readonly identityRegistry?: Address
}

// The ERC-8004 registries have one address on all main networks and another on all test networks.
const mainRegistry = '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'
const testRegistry = '0x8004A818BFB912233c491871b3d84c89A494BD9e'

/** By the name for `--chain`. */
export const targets = {
  base: { id: 8453, currency: 'ETH', identityRegistry: mainRegistry },
  ethereum: { id: 1, currency: 'ETH', identityRegistry: mainRegistry },
  celo: { id: 42220, currency: 'CELO', identityRegistry: mainRegistry },
  arbitrum: { id: 42161, currency: 'ETH', identityRegistry: mainRegistry },
  'base-sepolia': { id: 84532, currency: 'ETH', identityRegistry: testRegistry },
  sepolia: { id: 11155111, currency: 'ETH', identityRegistry: testRegistry },
  devnet: { id: 31337, currency: 'ETH' },
} as const satisfies Record<string, Target>

export type TargetName = keyof typeof targets

/** The chain with a name or an id. */
export function targetNamed(chain: string): TargetName {
  const names = Object.keys(targets) as TargetName[]
  const target = names.find((name) => name === chain || `${targets[name].id}` === chain)
  if (target) return target
  throw new BardoError(`Bardo does not support the chain '${chain}'.`, {
    code: 'UNSUPPORTED_CHAIN',
    remedy: `Choose one of ${names.map((name) => `${name} (${targets[name].id})`).join(', ')}.`,
    docsPath: 'deployment.md',
  })
}

/**
 * The contracts of a chain, and their addresses.
 *
 * @param delegationManager - only for a devnet of version 0.1, whose DelegationManager has another address
 */
export function planFor(name: TargetName, delegationManager?: Address): PlannedContract[] {
  const { identityRegistry }: Target = targets[name]
  return planDeployment({ identityRegistry, delegationManager })
}
