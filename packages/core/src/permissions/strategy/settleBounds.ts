import { bucketSeconds, buckets, maxBudgetCents } from '../../caveats/measure/rollingBudget.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatShortDollars } from '../../format/money.ts'
import { mostOf } from '../leastOf.ts'
import type { Evidence } from '../permissionPlan.ts'
import {
  baseDayCents,
  daySeconds,
  defaultLifespanSeconds,
  liquidityDayCents,
  longestLifespanSeconds,
  vaultDayCents,
} from '../planLimits.ts'
import { perDay } from './readAmounts.ts'
import type { CountLimit } from './readCounts.ts'
import type { Declarations, Stated } from './readDeclarations.ts'
import type { Limit } from './readLimits.ts'
import type { Ambiguity, Ask, Outcome, VaultShare } from './readSentence.ts'
import type { Grant } from './settleAsks.ts'

/** Everything in a text that limits what is granted. */
export type Bounds = {
  /** All requests: what one of them states also applies to the others, even if it is forbidden itself. */
  readonly asks: readonly Ask[]
  readonly declared: Declarations
  readonly limits: readonly Limit[]
  readonly counts: readonly CountLimit[]
  readonly shares: readonly VaultShare[]
}

/** A number of the plan, and the sentences that state it; none for a default. */
type Sourced<Value> = { readonly value: Value; readonly because: readonly Evidence[] }

/** The numbers that apply to all actions together. */
export type SettledBounds = {
  readonly dayCents: Sourced<bigint>
  /** Whole dollars. */
  readonly sizeCents: Sourced<bigint>
  readonly cadenceSeconds: Sourced<number>
  readonly calls: Sourced<number>
  readonly spanSeconds: Sourced<number>
}

/**
 * The terms have one size, one interval and one number of actions for everything together. So the narrowest
 * value of any sentence applies to all, and the owner is told.
 */
export function settleBounds(
  grants: readonly Grant[],
  { asks, declared, limits: stating, counts }: Bounds,
  ambiguities: Ambiguity[],
): SettledBounds {
  const tell = (from: Evidence, question: string, outcome: Outcome) =>
    ambiguities.push({ ...from, question, outcome })
  const { total } = declared
  const limits = total
    ? [...stating, { of: 'total', cents: total.value, from: total.from } as const]
    : stating
  const opening = grants.filter(({ reach }) => reach === 'full')
  const cadence = rarest(asks, declared, counts)
  const calls = fewest(asks, counts)
  const span = shortest(declared.lifespan, limits, tell)
  const stated = smallest(asks, limits)
  const most = opening.reduce((cents, grant) => mostOf(cents, capOf(grant)), 0n)
  const fitted = fitTotals(limits, { stated, cadence, calls, span, most }, tell)
  const day = dayOf({ stated: fitted.size, cadence, calls, most }, declared, limits, opening, tell)
  const least = fitted.day && fitted.day.value < day.value ? sourced(fitted.day) : day
  const size = sizeOf(fitted.size, least, opening, tell)
  tellSharing(grants, { stated, cadence, calls }, size.value, tell)
  tellTimes(cadence, span, tell)
  if (
    opening.length > 0 &&
    fitted.size &&
    !cadence &&
    !calls &&
    !declared.dayCents &&
    least.because.length === 0
  ) {
    const question = `How often? No interval is stated, so the default of ${formatShortDollars(least.value)} in any 24 hours applies. Write, for example, "every week".`
    tell(fitted.size.from, question, 'check')
  }
  return {
    dayCents: slotOf(least, size, cadence, declared.dayCents !== undefined),
    sizeCents: size,
    cadenceSeconds: cadence ? sourced(cadence) : { value: 0, because: [] },
    calls: calls ? sourced(calls) : { value: 0, because: [] },
    spanSeconds: span,
  }
}

type Tell = (from: Evidence, question: string, outcome: Outcome) => void

function sourced<Value>({ value, from }: Stated<Value>): Sourced<Value> {
  return { value, because: [from] }
}

function rarest(grants: readonly Ask[], { cadence }: Declarations, counts: readonly CountLimit[]) {
  const all = [...(cadence ? [{ cadence: cadence.value, from: cadence.from }] : []), ...counts, ...grants]
  let longest: Stated<number> | undefined
  for (const { cadence: value, from } of all)
    if (value !== undefined && value > (longest?.value ?? 0)) longest = { value, from }
  return longest
}

function fewest(grants: readonly Ask[], counts: readonly CountLimit[]) {
  let least: Stated<number> | undefined
  for (const { calls: value, from } of [...counts, ...grants])
    if (value !== undefined && value < (least?.value ?? Number.POSITIVE_INFINITY)) least = { value, from }
  return least
}

function smallest(asks: readonly Ask[], limits: readonly Limit[]) {
  let least: Stated<bigint> | undefined
  for (const { cents, from } of [
    ...asks.filter(({ reach }) => reach === 'full'),
    ...limits.filter(({ of }) => of === 'size' || of === 'unsaid'),
  ])
    if (cents !== undefined && (least === undefined || cents < least.value)) least = { value: cents, from }
  return least
}

function shortest(stated: Stated<number> | undefined, limits: readonly Limit[], tell: Tell): Sourced<number> {
  if (stated && stated.value > longestLifespanSeconds)
    tell(stated.from, 'A lifetime above one year cannot be signed: one year was used.', 'narrowed')
  const value = Math.min(stated?.value ?? defaultLifespanSeconds, longestLifespanSeconds)
  let span: Sourced<number> = { value, because: stated ? [stated.from] : [] }
  // "$100 over 3 days": anything after the 3 days would exceed the $100.
  for (const { of, seconds, from } of limits)
    if (of === 'total' && seconds !== undefined && seconds < span.value)
      span = { value: seconds, because: [from] }
  return span
}

type Numbers = {
  readonly stated: Stated<bigint> | undefined
  readonly cadence: Stated<number> | undefined
  readonly calls: Stated<number> | undefined
  readonly most: bigint
}

/** A total is enforced through the signed limits: size and number of actions, or spread over the days. */
function fitTotals(
  limits: readonly Limit[],
  numbers: Numbers & { readonly span: Sourced<number> },
  tell: Tell,
) {
  const { cadence, calls, span, most } = numbers
  const byRhythm = cadence ? Math.floor(span.value / cadence.value) + 1 : Number.POSITIVE_INFINITY
  const times = Math.min(calls?.value ?? Number.POSITIVE_INFINITY, byRhythm)
  let size = numbers.stated
  let day: Stated<bigint> | undefined
  for (const { of, cents, from } of limits) {
    if (of !== 'total') continue
    if (size === undefined || cents < size.value) size = { value: cents, from }
    if (Number.isFinite(times) && size.value * BigInt(times) <= cents) continue
    if (calls || (cadence && cadence.value >= daySeconds)) {
      size = { value: cents / BigInt(times), from }
      tell(
        from,
        `A total cannot be signed. ${formatShortDollars(cents)} was divided by ${times}, the maximum number of actions.`,
        'narrowed',
      )
      continue
    }
    // The number of 24-hour windows that can overlap the span.
    const value = cents / BigInt(Math.ceil(span.value / daySeconds) + 1)
    if (value < most && (day === undefined || value < day.value)) day = { value, from }
    tell(
      from,
      `A total cannot be signed. ${formatShortDollars(cents)} was spread over ${formatDuration(span.value)}: ${formatShortDollars(value)} a day.`,
      'narrowed',
    )
  }
  return { size, day }
}

/** The maximum that may leave in any 24 hours, from the text or by default. */
function dayOf(
  { stated, cadence, calls, most }: Numbers,
  { dayCents, budgets, dayLimit }: Declarations,
  limits: readonly Limit[],
  opening: readonly Grant[],
  tell: Tell,
): Sourced<bigint> {
  if (opening.length === 0) return { value: 0n, because: [] }
  let day: Sourced<bigint> = { value: most, because: [] }
  const lower = (value: bigint, from: Evidence) => {
    if (value < day.value) day = { value, because: [from] }
  }
  if (dayCents) {
    day = { value: maxBudgetCents + 1n, because: [dayCents.from] }
    for (const { value, from } of budgets) {
      // A week's budget may leave at once only if a week passes before the next action.
      const isWhole = (cadence?.value ?? 0) >= value.seconds
      if (!isWhole && value.seconds > daySeconds) tell(from, byTheDay(value.cents, value.seconds), 'narrowed')
      lower(isWhole ? value.cents : perDay(value.cents, value.seconds), from)
    }
  } else if (stated && stated.value > most) {
    const question = `This needs more than ${formatShortDollars(most)} a day, the default without a budget. The default was used. To allow more, add "budget: $…/day".`
    tell(stated.from, question, 'narrowed')
  }
  // Without a budget it is unknown whether an amount is for one action or for all.
  for (const limit of limits) {
    if (limit.of === 'day') {
      const { cents, seconds = daySeconds, from } = limit
      const isWhole = (cadence?.value ?? 0) >= seconds
      if (!isWhole && seconds > daySeconds) tell(from, byTheDay(cents, seconds), 'narrowed')
      lower(isWhole ? cents : perDay(cents, seconds), from)
    }
    if (limit.of === 'unsaid' && !dayCents) lower(limit.cents, limit.from)
  }
  if (dayLimit) lower(dayLimit.value, dayLimit.from)
  if (stated && calls && stated.value * BigInt(calls.value) <= day.value)
    day = { value: stated.value * BigInt(calls.value), because: [stated.from, calls.from] }
  if (day.value > maxBudgetCents) {
    if (dayCents)
      tell(
        dayCents.from,
        `The maximum that can be signed is ${formatShortDollars(maxBudgetCents)} a day. It was used.`,
        'narrowed',
      )
    day = { ...day, value: maxBudgetCents }
  }
  return day
}

function byTheDay(cents: bigint, seconds: number): string {
  return `A limit for ${formatDuration(seconds)} is signed as a daily limit: ${formatShortDollars(perDay(cents, seconds))} in any 24 hours.`
}

/** The size of one action in whole dollars, as it is signed. */
function sizeOf(
  stated: Stated<bigint> | undefined,
  day: Sourced<bigint>,
  opening: readonly Grant[],
  tell: Tell,
): Sourced<bigint> {
  if (opening.length === 0) return { value: 0n, because: [] }
  const wanted = stated && stated.value <= day.value ? sourced(stated) : day
  const value = (wanted.value / 100n) * 100n
  if (value < wanted.value && (wanted !== day || value === 0n)) {
    const [from = opening[0]?.from] = wanted.because
    const question = `The size of an action is signed in whole dollars: ${formatShortDollars(value)}, not ${formatShortDollars(wanted.value)}.`
    if (from)
      tell(from, value === 0n ? `${question} With $0 the Golem can do nothing.` : question, 'narrowed')
  }
  return { ...wanted, value }
}

/**
 * The rolling budget counts an amount for 24 to 28 hours. If size and interval already limit what leaves in
 * any 24 hours, its limit gets room for what it still counts, so that a daily action is not delayed by four
 * hours. A limit that the owner states is signed as stated.
 */
function slotOf(
  day: Sourced<bigint>,
  size: Sourced<bigint>,
  cadence: Stated<number> | undefined,
  isBudget: boolean,
): Sourced<bigint> {
  if (!cadence || isBudget || size.because.length === 0) return day
  const counted = size.value * ((buckets * bucketSeconds) / BigInt(cadence.value) + 1n)
  if (counted <= day.value) return { value: counted, because: [...size.because, cadence.from] }
  const isKept = size.value * BigInt(Math.ceil(daySeconds / cadence.value)) <= day.value
  return isKept && day.because.length === 0 ? { ...day, because: [...size.because, cadence.from] } : day
}

/** Tells the owner where the number of one sentence also applies to another. */
function tellSharing(
  grants: readonly Grant[],
  { stated, cadence, calls }: Pick<Numbers, 'stated' | 'cadence' | 'calls'>,
  size: bigint,
  tell: Tell,
): void {
  const isAsked = (bound: Stated<unknown> | undefined) => grants.some(({ from }) => from === bound?.from)
  const shared = [
    isAsked(cadence) && cadence ? `at most one action every ${formatDuration(cadence.value)}` : '',
    isAsked(calls) && calls ? `${calls.value === 1 ? 'one action' : `${calls.value} actions`} in total` : '',
    isAsked(stated) ? `at most ${formatShortDollars(size)} each` : '',
  ].filter((part) => part !== '')
  const sources = [cadence?.from, calls?.from, stated?.from]
  const first = grants.find(({ from }) => isAsked({ value: 0, from }) && sources.includes(from))
  const other = grants.find(({ from }) => first !== undefined && from !== first.from)
  if (shared.length === 0 || !other) return
  const question = `All actions share one size and one interval: ${shared.join(', ')}. For separate limits, summon a second Golem.`
  tell(other.from, question, 'narrowed')
}

function tellTimes(cadence: Stated<number> | undefined, span: Sourced<number>, tell: Tell): void {
  if (!cadence || cadence.value < span.value) return
  const [stated] = span.because
  const life = `${formatDuration(span.value)}${stated ? '' : ' (the default)'}`
  const question = `It acts once: the next action would be after ${formatDuration(cadence.value)}, and its life ends after ${life}. For more actions write, for example: lifespan: 90 days`
  tell(cadence.from, question, 'check')
}

function capOf({ capability }: Grant): bigint {
  if (capability === 'VaultManagement') return vaultDayCents
  return capability === 'ProvideLiquidity' ? liquidityDayCents : baseDayCents
}
