import { bucketSeconds, buckets, maxBudgetCents } from '../../caveats/measure/rollingBudget.ts'
import type { Total } from '../../caveats/measure/totals.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatShortDollars } from '../../format/money.ts'
import { leastOf, mostOf } from '../leastOf.ts'
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
import type { StatedBound } from './readStatedBounds.ts'
import type { Grant } from './settleAsks.ts'

/** Everything in a text that limits what is granted. */
export type Bounds = {
  /** All requests: what one of them states also applies to the others, even if it is forbidden itself. */
  readonly asks: readonly Ask[]
  readonly declared: Declarations
  readonly limits: readonly Limit[]
  readonly counts: readonly CountLimit[]
  readonly shares: readonly VaultShare[]
  readonly stated: readonly StatedBound[]
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
  readonly totals: Sourced<readonly Total[]>
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
  const limited = withinTotal(stated, limits)
  const least = dayOf({ stated: limited, calls, most }, declared, limits, opening, tell)
  const size = sizeOf(limited, least, opening, tell)
  tellSharing(grants, { stated, cadence, calls }, size.value, tell)
  tellTimes(cadence, span, tell)
  if (
    opening.length > 0 &&
    limited &&
    !cadence &&
    !calls &&
    !declared.dayCents &&
    least.because.length === 0
  ) {
    const question = `How often? No interval is stated, so the default of ${formatShortDollars(least.value)} in any 24 hours applies. Write, for example, "every week".`
    tell(limited.from, question, 'check')
  }
  const longer = totalsOf(limits, declared, { size: size.value, cadence }, tell)
  const slot = slotOf(least, size, cadence, declared.dayCents !== undefined)
  return {
    dayCents: longer.dayCents < slot.value ? { ...slot, value: longer.dayCents } : slot,
    sizeCents: size,
    cadenceSeconds: cadence ? sourced(cadence) : { value: 0, because: [] },
    calls: calls ? sourced(calls) : { value: 0, because: [] },
    spanSeconds: span,
    totals: opening.length > 0 ? longer.totals : { value: [], because: [] },
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

/** One action moves at most the total. */
function withinTotal(stated: Stated<bigint> | undefined, limits: readonly Limit[]) {
  let size = stated
  for (const { of, cents, from } of limits)
    if (of === 'total' && (size === undefined || cents < size.value)) size = { value: cents, from }
  return size
}

/** The terms hold this many totals. */
const mostTotals = 4
/** A period has six equal parts. */
const partsOfPeriod = 6

/** The limits of longer periods and of the whole life, as they are signed. */
function totalsOf(
  limits: readonly Limit[],
  { budgets }: Declarations,
  { size, cadence }: { readonly size: bigint; readonly cadence: Stated<number> | undefined },
  tell: Tell,
): { readonly totals: Sourced<readonly Total[]>; readonly dayCents: bigint } {
  const byPeriod = new Map<number, Stated<bigint>>()
  const add = (seconds: number, cents: bigint, from: Evidence) => {
    // A longer period with the same amount is narrower.
    const period = Math.ceil(seconds / partsOfPeriod) * partsOfPeriod
    const old = byPeriod.get(period)
    if (cents > 0n && (old === undefined || cents < old.value)) byPeriod.set(period, { value: cents, from })
  }
  // A rolling period counts an amount for up to a sixth longer: where size and rhythm already hold the limit, a
  // total would only delay the actions.
  const isKept = (cents: bigint, seconds: number) =>
    cadence !== undefined && size * BigInt(Math.ceil(seconds / cadence.value)) <= cents
  for (const { of, cents, seconds = daySeconds, from } of limits) {
    if (of === 'total') add(0, cents, from)
    if (of === 'day' && seconds > daySeconds && !isKept(cents, seconds)) add(seconds, cents, from)
  }
  for (const { value, from } of budgets)
    if (value.seconds > daySeconds && !isKept(value.cents, value.seconds))
      add(value.seconds, value.cents, from)
  const all = [...byPeriod].toSorted(([a], [b]) => a - b)
  let dayCents = maxBudgetCents
  for (const [period, { value, from }] of all.slice(mostTotals)) {
    dayCents = leastOf(dayCents, perDay(value, period))
    tell(
      from,
      `Only ${mostTotals} limits for longer periods can be signed; this one is signed by the day.`,
      'narrowed',
    )
  }
  const signed = all.slice(0, mostTotals)
  const totals = signed.map(([periodSeconds, { value }]) => ({
    periodSeconds,
    cents: leastOf(value, maxBudgetCents),
  }))
  return { totals: { value: totals, because: signed.map(([, { from }]) => from) }, dayCents }
}

/** The maximum that may leave in any 24 hours, from the text or by default. */
function dayOf(
  { stated, calls, most }: Omit<Numbers, 'cadence'>,
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
    for (const { value, from } of budgets) lower(inADay(value.cents, value.seconds), from)
  } else if (stated && stated.value > most) {
    const question = `This needs more than ${formatShortDollars(most)} a day, the default without a budget. The default was used. To allow more, add "budget: $…/day".`
    tell(stated.from, question, 'narrowed')
  }
  // Without a budget it is unknown whether an amount is for one action or for all.
  for (const limit of limits) {
    if (limit.of === 'day') {
      const { cents, seconds = daySeconds, from } = limit
      lower(inADay(cents, seconds), from)
    }
    if (limit.of === 'total') lower(limit.cents, limit.from)
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

/** What a limit allows in one day: all of a longer period's amount can leave at once, since its total is signed. */
function inADay(cents: bigint, seconds: number): bigint {
  return seconds > daySeconds ? cents : perDay(cents, seconds)
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
