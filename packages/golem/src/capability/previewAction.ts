import { BardoError, leastOf } from '@bardo/core'
import { type Address, isAddressEqual } from 'viem'
import { type Action, actionHash } from './action.ts'
import type { Capability, CapabilityLedger } from './capability.ts'
import { type CapabilityPolicy, policyHash } from './policy.ts'

/** What a dry run showed. */
export type Simulation =
  | { readonly is: 'passes'; readonly valueCents: bigint }
  /** Which link, which caveat, which numbers: as the chain explained it. */
  | { readonly is: 'refused'; readonly error: BardoError }

/** Who wants what. */
export type PreviewRequest = {
  readonly golem: string
  readonly action: Action
  /** The most it shall cost. */
  readonly requestedCents: bigint
  readonly tick: number
  /** Unix seconds. */
  readonly now: number
}

/** What a preview needs of the world. */
export type PreviewPorts = {
  simulate(action: Action): Promise<Simulation>
  readonly ledger: CapabilityLedger
  /** An id that nobody can guess. */
  permitId(): string
}

/**
 * Looks at an action before it is done: allow-list, dry run, value, rate. If all agree, mints the one capability that
 * lets exactly this action be committed. Throws what refuses it.
 */
export async function previewAction(
  ports: PreviewPorts,
  policy: CapabilityPolicy,
  expiryTicks: number,
  { golem, action, requestedCents, tick, now }: PreviewRequest,
): Promise<Capability> {
  requireAllowed(action, policy)
  const simulation = await ports.simulate(action)
  if (simulation.is === 'refused') throw simulation.error
  const { maxValueCents, rate } = policy
  const valueLimitCents = leastOf(requestedCents, maxValueCents)
  if (simulation.valueCents > valueLimitCents)
    throw new BardoError('The action costs more than it may.', {
      code: 'SPEND_LIMIT_EXCEEDED',
      details: [
        `${simulation.valueCents} cents by simulation`,
        `${requestedCents} requested`,
        `${maxValueCents} at most by policy`,
      ],
      remedy: `Do less: at most ${valueLimitCents} cents.`,
    })
  const capability: Capability = {
    permitId: ports.permitId(),
    golem,
    action: actionHash(action),
    valueLimitCents,
    policy: policyHash(policy),
    mintedAtTick: tick,
    expiresAtTick: tick + expiryTicks,
    mintedAt: now,
  }
  if (await ports.ledger.add(capability, { most: rate.most, since: now - rate.seconds })) return capability
  throw new BardoError('Too many actions in too short a time.', {
    code: 'RATE_LIMITED',
    details: [`${rate.most} in ${rate.seconds} seconds at most`],
    remedy: 'Wait for a later tick.',
  })
}

function requireAllowed({ calls }: Action, { targets, tokens, methods }: CapabilityPolicy): void {
  const allowed = [...targets, ...tokens]
  const isAllowed = (target: Address) => allowed.some((known) => isAddressEqual(known, target))
  const strangers = calls.map(({ target }) => target).filter((target) => !isAllowed(target))
  const selectors = calls.map(({ data }) => data.slice(0, 10).toLowerCase())
  const unnamed = selectors.filter((selector) => methods && !methods.some((name) => name === selector))
  if (unnamed.length > 0)
    throw new BardoError('The action calls a method that it may not.', {
      code: 'ACTION_NOT_ALLOWED',
      details: unnamed.map((selector) => `${selector} is not on the list`),
      remedy: 'Call methods of the policy only, or ask the owner for a wider one.',
    })
  if (calls.length > 0 && strangers.length === 0) return
  throw new BardoError('The action goes where it may not.', {
    code: 'ACTION_NOT_ALLOWED',
    details:
      calls.length === 0 ? ['it calls nothing'] : strangers.map((target) => `${target} is not on the list`),
    remedy: 'Call contracts of the policy only, or ask the owner for a wider one.',
  })
}
