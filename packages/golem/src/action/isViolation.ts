import { BardoError, leastOf } from '@bardo/core'
import { outageOf } from '../observeOnly/observeOnly.ts'
import { type Bounds, boundDecision } from '../strategy/boundDecision.ts'
import { type Intention, soldBy } from '../strategy/strategy.ts'

/** Error codes for refusals by the signed permission or by the wallet policy. */
const refusals: readonly string[] = ['ACTION_NOT_ALLOWED', 'SPEND_LIMIT_EXCEEDED', 'REDEMPTION_REFUSED']

/**
 * Whether an error means that an action tried to exceed its bounds. An outage or bad timing does not: a
 * refusal because of the time, a price or the chain's state has a retryable code of its own.
 */
export function isViolation(error: unknown): boolean {
  if (!(error instanceof BardoError) || error.retryable || outageOf(error)) return false
  return refusals.includes(error.code)
}

/**
 * Whether the plan forbids an intention at every moment of today: by its kind, its pair, its phase or its
 * size.
 */
export function breaksPlan(intention: Intention, view: Bounds): boolean {
  const { plan } = view
  // A balance that is too small, or a pause, is not an attempt to exceed a bound.
  const { cents } = intention
  const symbols = intention.type === 'withdraw' ? [intention.asset] : soldBy(intention)
  const plenty = symbols.map((symbol) => raised({ symbol, cents, vaultCents: cents }))
  const { start, end } = plan.window
  const open = leastOf(end, BigInt(view.now) < start ? start : BigInt(view.now))
  const bounded = boundDecision(
    { ...intention, cents: intention.cents < leastCents ? leastCents : intention.cents },
    { ...view, now: Number(open), lastExecutionAt: undefined, holdings: plenty },
  )
  return bounded.type === 'wait' || bounded.cents < intention.cents
}

/**
 * Actions below one dollar are never executed: a smaller amount is not an attempt to exceed a bound either.
 */
const leastCents = 100n

function raised<Holding extends { readonly cents: bigint; readonly vaultCents: bigint }>(
  held: Holding,
): Holding {
  const most = (cents: bigint) => (cents < leastCents ? leastCents : cents)
  return { ...held, cents: most(held.cents), vaultCents: most(held.vaultCents) }
}
