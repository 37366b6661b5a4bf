import { BardoError } from '@bardo/core'
import { type Action, actionHash } from './action.ts'
import type { Capability, CapabilityLedger } from './capability.ts'
import { type CapabilityPolicy, policyHash } from './policy.ts'

/** What is to be done now, under which permit. */
export type CommitRequest = {
  readonly golem: string
  readonly permitId: string
  /** The intent that will do it. */
  readonly intentId: string
  readonly action: Action
  /** What it costs at most, as it stands now. */
  readonly valueCents: bigint
  readonly tick: number
}

/** Uses a capability up for exactly the action it was minted for. Whoever gets past this may act, once. */
export async function commitAction(
  ledger: CapabilityLedger,
  policy: CapabilityPolicy,
  request: CommitRequest,
): Promise<Capability> {
  const found = await ledger.find(request.permitId)
  if (!found) throw invalid('there is no such permit')
  const { capability, consumedBy } = found
  // Begun in time by this very intent, and interrupted: it is to be finished, however late it is by now.
  if (consumedBy === request.intentId && capability.action === actionHash(request.action)) return capability
  const why = misuse(capability, policy, request)
  if (why) throw invalid(why)
  if (!(await ledger.consume(request.permitId, request.intentId))) throw invalid('it was used before')
  return capability
}

function misuse(
  { golem, action, valueLimitCents, policy: minted, mintedAtTick, expiresAtTick }: Capability,
  policy: CapabilityPolicy,
  request: CommitRequest,
): string | undefined {
  const { tick, valueCents } = request
  if (golem !== request.golem) return 'it belongs to another Golem'
  if (action !== actionHash(request.action)) return 'it is for another action'
  if (minted !== policyHash(policy)) return 'the policy has changed since'
  if (!(tick >= mintedAtTick && tick < expiresAtTick))
    return `it holds from tick ${mintedAtTick} to before ${expiresAtTick}, and this is tick ${tick}`
  if (valueCents < 0n || valueCents > valueLimitCents)
    return `${valueCents} cents are asked for, and it allows ${valueLimitCents}`
  return undefined
}

function invalid(why: string): BardoError {
  return new BardoError('The capability does not allow this.', {
    code: 'CAPABILITY_INVALID',
    details: [why],
    remedy: 'Preview the action again.',
  })
}
