import { BardoError, leastOf } from '@bardo/core'
import type { Capability } from '@bardo/store'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { type Action, actionHash } from './action.ts'
import type { CapabilityLedger } from './capability.ts'
import { type CapabilityPolicy, policyHash } from './policy.ts'

/** The action that needs a capability, and its cost. */
export type MintRequest = {
  readonly golem: Hash
  readonly action: Action
  /** The most that the caller wants to spend. */
  readonly requestedCents: bigint
  /** The most that the action spends, at the prices that it was built with. */
  readonly valueCents: bigint
  readonly tick: number
  /** Unix seconds. */
  readonly now: number
}

/**
 * Mints the only capability that allows exactly this action to be committed, within the value limit and the
 * rate. The id cannot be guessed.
 */
export async function mintCapability(
  ledger: CapabilityLedger,
  { maxValueCents, rate, ...policy }: CapabilityPolicy,
  expiryTicks: number,
  { golem, action, requestedCents, valueCents, tick, now }: MintRequest,
  capabilityId: () => string = () => crypto.randomUUID(),
): Promise<Capability> {
  const valueLimitCents = leastOf(requestedCents, maxValueCents)
  if (valueCents > valueLimitCents)
    throw new BardoError('The action exceeds its value limit.', {
      code: 'SPEND_LIMIT_EXCEEDED',
      details: [
        `${valueCents} cents by simulation`,
        `${requestedCents} requested`,
        `${maxValueCents} cents at most by the policy`,
      ],
      remedy: `Request at most ${valueLimitCents} cents.`,
    })
  const capability: Capability = {
    capabilityId: capabilityId(),
    golem,
    actionHash: actionHash(action),
    valueLimitCents,
    policyHash: policyHash({ maxValueCents, rate, ...policy }),
    mintedAtTick: tick,
    expiresAtTick: tick + expiryTicks,
    mintedAt: now * 1_000,
  }
  const since = (now - rate.seconds) * 1_000
  if (await ledger.add(capability, action, { most: rate.most, since })) return capability
  throw new BardoError('Too many actions in a short time.', {
    code: 'RATE_LIMITED',
    details: [`at most ${rate.most} in ${rate.seconds} seconds`],
    remedy: 'Wait for a later tick.',
  })
}

/** Refuses an action that calls a contract or a method which the policy does not name. */
export function requireAllowed({ calls }: Action, { targets, tokens, methods }: CapabilityPolicy): void {
  const allowed = [...targets, ...tokens]
  const isAllowed = (target: Address) => allowed.some((address) => isAddressEqual(address, target))
  const strangers = calls.map(({ target }) => target).filter((target) => !isAllowed(target))
  const selectors = calls.map(({ data }) => data.slice(0, 10).toLowerCase())
  const unnamed = selectors.filter((selector) => methods && !methods.some((name) => name === selector))
  if (unnamed.length > 0)
    throw new BardoError('The wallet policy does not allow a method of this action.', {
      code: 'ACTION_NOT_ALLOWED',
      details: unnamed.map((selector) => `${selector} is not in the policy`),
      remedy: 'Use only methods of the policy, or ask the owner for a wider policy.',
    })
  if (calls.length > 0 && strangers.length === 0) return
  throw new BardoError('The wallet policy does not allow a contract of this action.', {
    code: 'ACTION_NOT_ALLOWED',
    details:
      calls.length === 0
        ? ['the action has no calls']
        : strangers.map((target) => `${target} is not in the policy`),
    remedy: 'Use only contracts of the policy, or ask the owner for a wider policy.',
  })
}
