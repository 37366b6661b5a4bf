import { BardoError } from '@bardo/core'
import type { Capability } from '@bardo/store'
import type { Hash } from 'viem'
import { type Action, actionHash } from './action.ts'
import type { CapabilityLedger } from './capability.ts'
import { type CapabilityPolicy, policyHash } from './policy.ts'

/** The action to execute now, and its capability. */
export type ConsumeRequest = {
  readonly golem: Hash
  readonly capabilityId: string
  /** The intent that executes the action. */
  readonly intentId: string
  readonly action: Action
  /** The most that the action costs, at the current prices. */
  readonly valueCents: bigint
  readonly tick: number
}

/**
 * Consumes a capability for exactly the action that it was minted for. The caller may execute that action
 * once.
 */
export async function consumeCapability(
  ledger: CapabilityLedger,
  policy: CapabilityPolicy,
  request: ConsumeRequest,
): Promise<Capability> {
  const entry = await ledger.find(request.capabilityId)
  if (!entry) throw invalid('the capability is unknown')
  const { capability, consumedBy } = entry
  // This intent consumed the capability in time and was interrupted. It may finish, even after the expiry.
  if (consumedBy === request.intentId && capability.actionHash === actionHash(request.action))
    return capability
  const why = misuse(capability, policy, request)
  if (why) throw invalid(why)
  if (!(await ledger.consume(request.capabilityId, request.intentId))) throw invalid('it was already used')
  return capability
}

function misuse(
  { golem, actionHash: action, valueLimitCents, policyHash: minted, mintedAtTick, expiresAtTick }: Capability,
  policy: CapabilityPolicy,
  request: ConsumeRequest,
): string | undefined {
  const { tick, valueCents } = request
  if (golem !== request.golem) return 'it belongs to another Golem'
  if (action !== actionHash(request.action)) return 'it is for another action'
  if (minted !== policyHash(policy)) return 'the policy has changed since the preview'
  if (!(tick >= mintedAtTick && tick < expiresAtTick))
    return `it is valid from tick ${mintedAtTick} until before tick ${expiresAtTick}; the current tick is ${tick}`
  if (valueCents < 0n || valueCents > valueLimitCents)
    return `requested: ${valueCents} cents, allowed: ${valueLimitCents}`
  return undefined
}

function invalid(why: string): BardoError {
  return new BardoError('The capability does not allow this action.', {
    code: 'CAPABILITY_INVALID',
    details: [why],
    remedy: 'Preview the action again.',
  })
}
