import { type ActionClass, classNames } from '../caveats/execution/actionClass.ts'
import { type Method, methodNames } from '../caveats/execution/methods.ts'
import { bucketSeconds, buckets, maxBudgetCents } from '../caveats/measure/rollingBudget.ts'
import { BardoError } from '../errors/BardoError.ts'
import { leastOf, mostOf } from './leastOf.ts'
import { type PermissionPlan, type PlanPair, pairKey, type TargetRole, targetKey } from './permissionPlan.ts'
import { defaultSlippageBps, defaultSpreadBps } from './planLimits.ts'

/** One decoded call of a recorded run. */
export type RecordedCall = {
  /** Unix seconds. */
  readonly at: bigint
  readonly class: ActionClass
  readonly method: Method
  readonly target?: TargetRole
  /** Symbols; for a swap, the input and the output. */
  readonly pair?: PlanPair
  readonly assets?: readonly string[]
  readonly payee?: string
  /** Dollars that left the account, in cents, rounded up. Approvals are 0. */
  readonly cents: bigint
  /** Calls of one execution have the same number. */
  readonly execution: number
}

/** What the recording does not contain. */
export type RecordingOptions = {
  readonly window: { readonly start: bigint; readonly end: bigint }
  readonly settlement?: string
  /** The margin above the recorded amounts; 0 for none. */
  readonly marginBps: number
}

/**
 * The least plan under which every recorded call would have passed.
 *
 * @example
 * const swap = { at: 1_800_000_000n, class: 'swap', method: 'exactInputSingle', cents: 5_000n, execution: 1 } as const
 * const plan = planFromCalls([swap], { window: { start: 1_800_000_000n, end: 1_800_604_800n }, marginBps: 500 })
 */
export function planFromCalls(calls: readonly RecordedCall[], options: RecordingOptions): PermissionPlan {
  const { marginBps, settlement, window } = options
  if (!Number.isInteger(marginBps) || marginBps < 0 || marginBps > 10_000) {
    throw new BardoError('The margin must be a whole number of basis points from 0 to 10,000.', {
      code: 'INVALID_INPUT',
      details: [`it is ${marginBps}`],
    })
  }
  const bad = calls.find(({ cents, at }) => cents < 0n || at < 0n)
  if (bad) {
    throw new BardoError('A recorded call has a negative amount or time.', {
      code: 'INVALID_INPUT',
      details: [`${bad.method} at ${bad.at}: ${bad.cents} cents`],
    })
  }
  const widen = (cents: bigint) =>
    leastOf((cents * BigInt(10_000 + marginBps) + 9_999n) / 10_000n, maxBudgetCents)
  const targets = new Map<string, TargetRole>()
  const pairs = new Map<string, PlanPair>()
  const assets = new Set<string>()
  for (const { target, pair, assets: touched = [] } of calls) {
    if (target) targets.set(targetKey(target), target)
    if (pair) pairs.set(pairKey(pair), pair)
    for (const symbol of pair ? [pair.from, pair.to, ...touched] : touched) assets.add(symbol)
  }
  const classes = new Set(
    calls.map((call) =>
      call.class === 'swap' && call.pair?.to === settlement && settlement ? 'unwind' : call.class,
    ),
  )
  const methods = new Set(calls.map(({ method }) => method))
  const executions = byExecution(calls)
  const size = widen(executions.reduce((most, { cents }) => mostOf(most, cents), 0n))
  const lean = classes.has('unwind') || classes.has('payment') ? size : 0n
  return {
    classes: classNames.filter((name) => classes.has(name)),
    methods: methodNames.filter((name) => methods.has(name)),
    assets: [...assets].sort(),
    pairs: [...pairs.values()].sort((a, b) => (pairKey(a) < pairKey(b) ? -1 : 1)),
    targets: [...targets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, target]) => target),
    payees: [...new Set(calls.flatMap(({ payee }) => payee?.toLowerCase() ?? []))].sort(),
    dayCents: mostOf(widen(mostInMemory(executions)), size),
    sizeCents: [size, size, lean, lean, 0n],
    slippageBps: classes.has('swap') || classes.has('unwind') ? defaultSlippageBps : 0,
    spreadBps: classes.has('addLiquidity') ? defaultSpreadBps : 0,
    cadenceSeconds: leastDistance(executions),
    calls: 0,
    window,
    settlement: settlement !== undefined && assets.has(settlement) ? settlement : undefined,
    sections: {},
    reasons: [],
  }
}

type Execution = { readonly at: bigint; readonly cents: bigint }

function byExecution(calls: readonly RecordedCall[]): Execution[] {
  const sums = new Map<number, Execution>()
  for (const { execution, at, cents } of calls) {
    sums.set(execution, { at, cents: (sums.get(execution)?.cents ?? 0n) + cents })
  }
  return [...sums.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** The most that the rolling budget counted at any moment. */
function mostInMemory(executions: readonly Execution[]): bigint {
  let [first, sum, most] = [0, 0n, 0n]
  for (const { at, cents } of executions) {
    sum += cents
    while (at / bucketSeconds - (executions[first]?.at ?? at) / bucketSeconds >= buckets) {
      sum -= executions[first]?.cents ?? 0n
      first += 1
    }
    most = mostOf(most, sum)
  }
  return most
}

function leastDistance(executions: readonly Execution[]): number {
  let least: bigint | undefined
  for (const [index, { at }] of executions.entries()) {
    const before = executions[index - 1]
    if (before && (least === undefined || at - before.at < least)) least = at - before.at
  }
  // The Cage's field has four bytes.
  return Number(leastOf(least ?? 0n, 0xffff_ffffn))
}
