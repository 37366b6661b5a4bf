import { refusedRedemption } from '@bardo/chain'
import { BardoError, type Explanation, isoTime, laterPhase, type PermissionPlan } from '@bardo/core'
import { requireNotPaused } from '../observeOnly/paused.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { readSenses } from '../snapshot/readSenses.ts'
import type { Senses, TickPorts } from '../snapshot/tickPorts.ts'
import type { Death } from '../state/death.ts'
import type { GolemState } from '../state/golemState.ts'
import { boundDecision, insideLimit } from '../strategy/boundDecision.ts'
import { type Intention, soldBy, summaryOf, type View } from '../strategy/strategy.ts'
import { breaksPlan, isViolation } from './isViolation.ts'
import { recordRefusal } from './recordRefusal.ts'
import { requireAble } from './requireAble.ts'
import { previewKey, sweepPreviews } from './sweepPreviews.ts'

/** An action that may be committed, once. */
export type Preview = {
  readonly capabilityId: string
  /** The most that the action may cost. */
  readonly valueCents: bigint
  /** The first tick at which the action can no longer be committed. */
  readonly expiresAtTick: number
}

/** What the store says about a Golem: its state, its death, and when its owner paused it. */
export type Life = {
  readonly state: GolemState
  readonly death: Death | undefined
  /** Milliseconds since 1970; undefined while it may act. */
  readonly pausedAt: number | undefined
}

/** A running Golem, with the ports of its heartbeat. */
export type Acting = {
  readonly parts: Pick<GolemParts, 'id' | 'store' | 'deployment'>
  readonly ports: TickPorts
  life(): Promise<Life>
  /** Explains how the chain would judge the intention. */
  explain(intention: Intention): Promise<Explanation>
  /** Unix seconds. */
  now(): number
}

/**
 * Previews an action request in the same way as a tick: bounded by the plan, authorized, and given a
 * capability that allows exactly this action once. A strategy's decision may be reduced to any size; an
 * action request is reduced by at most half a percent, and only if the price floats. A larger reduction is
 * refused, and the refusal names the allowed amount. A refusal by the bounds is recorded like a refusal in a
 * tick. Bad timing, an outage or a moved price is not recorded.
 */
export async function previewIntention(acting: Acting, intention: Intention): Promise<Preview> {
  const { parts, ports } = acting
  const { id, store } = parts
  const { state, death, pausedAt } = await acting.life()
  requireAble(state, death, undefined)
  requireNotPaused(pausedAt)
  const senses = await readSenses(ports, state)
  requireAble(state, death, senses.outage)
  const phase = laterPhase(state.phase, senses.shown.phase)
  const view = { ...senses.view, now: senses.at, phase }
  const bounded = boundDecision(intention, view)
  if (bounded.type === 'wait' || bounded.cents < leastCents(intention, view)) {
    const own =
      bounded.type === 'wait'
        ? (tooSoon(senses) ?? outOfBounds(bounded.because, view.plan))
        : tooMuch(bounded.cents, intention.cents)
    const error = await refusal(acting, intention, own)
    if (breaksPlan(intention, view)) await recordRefusal(acting, summaryOf(intention), error)
    throw error
  }
  const authorized = await ports.authorize(bounded, state.tick + 1)
  if (authorized.type === 'refused') {
    if (isViolation(authorized.error)) await recordRefusal(acting, summaryOf(intention), authorized.error)
    throw authorized.error
  }
  const { capabilityId, valueCents } = authorized
  await sweepPreviews(store, id, state)
  await store.grimoire.put({
    golem: id,
    key: previewKey(capabilityId),
    kind: 'preview',
    body: { intention: bounded, valueCents },
  })
  const { expiresAtTick } = (await store.capabilities.find(capabilityId))?.capability ?? lost()
  return { capabilityId, valueCents, expiresAtTick }
}

/**
 * The smallest accepted amount. A floating price needs a margin of half a percent below a limit; a larger
 * reduction is refused.
 */
function leastCents(intention: Intention, { holdings }: Pick<View, 'holdings'>): bigint {
  const sold = soldBy(intention)
  const floats = holdings.some(({ symbol, floats: moves }) => moves && sold.includes(symbol))
  return floats ? insideLimit(intention.cents) : intention.cents
}

/**
 * If the chain refuses the intention too, its explanation is more precise: which link, which caveat, which
 * numbers.
 */
async function refusal(
  { parts, explain }: Acting,
  intention: Intention,
  own: BardoError,
): Promise<BardoError> {
  try {
    const { deployment } = parts
    return refusedRedemption(await explain(intention), { deployment, step: 0, outcome: 'not-sent' }) ?? own
  } catch {
    return own
  }
}

function outOfBounds(because: string, { pairs, targets }: PermissionPlan): BardoError {
  const vaults = targets.flatMap((target) =>
    target.role === 'vault'
      ? [`vault of ${target.asset}`]
      : target.role === 'pool'
        ? [`pool ${target.assets.join('/')}`]
        : [],
  )
  return new BardoError('The plan does not allow this action.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [
      because,
      `allowed: ${[...pairs.map(({ from, to }) => `${from} to ${to}`), ...vaults].join(', ')}`,
    ],
    remedy: 'Request an action that the plan allows now, or ask the owner for a wider plan.',
    docsPath: 'golem.md#strategies',
  })
}

/** Undefined if the signed pause is over. */
function tooSoon({ at, view: { plan, lastExecutionAt } }: Senses): BardoError | undefined {
  if (lastExecutionAt === undefined || at >= lastExecutionAt + plan.cadenceSeconds) return undefined
  const retryAfter = isoTime(lastExecutionAt + plan.cadenceSeconds)
  return new BardoError('The signed minimum interval between two actions is not over.', {
    code: 'TOO_SOON',
    details: [`one action every ${plan.cadenceSeconds} seconds`],
    remedy: `Send it again after ${retryAfter}.`,
    retryAfter,
    docsPath: 'golem.md#strategies',
  })
}

function tooMuch(allowed: bigint, requested: bigint): BardoError {
  return new BardoError('The amount exceeds what can be moved now.', {
    code: 'SPEND_LIMIT_EXCEEDED',
    details: [`requested: ${requested} cents`, `allowed: ${allowed} cents`],
    remedy: `Request at most ${allowed} cents.`,
    docsPath: 'golem.md#strategies',
  })
}

function lost(): never {
  throw new BardoError('A capability that was just minted is not in the store.', { code: 'STORE_CORRUPT' })
}
