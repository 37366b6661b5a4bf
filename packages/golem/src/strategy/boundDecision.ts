import { isoTime, leastOf, type Phase, phaseNumber } from '@bardo/core'
import { type Decision, type Intention, type View, wait } from './strategy.ts'

/** The minimum size of an action: below a dollar it is not worth its gas. */
const leastCents = 100n

/**
 * The margin below a signed limit for an asset with a moving price: an action is built once, and must still
 * be within the
 * limit at the price of the block that includes it.
 */
const driftBps = 50n

/** The maximum of a signed limit that an asset with a moving price may use. */
export const insideLimit = (cents: bigint) => (cents * (10_000n - driftBps)) / 10_000n

/** The parts of a view that bound a decision. */
export type Bounds = Pick<View, 'now' | 'phase' | 'plan' | 'holdings' | 'leftTodayCents' | 'lastExecutionAt'>

/**
 * Limits a decision to the plan: only its classes, pairs and vaults, only in their phases and window, and at
 * most its size,
 * its daily limit and the balance. Every action of a strategy goes through it.
 */
export function boundDecision(decision: Decision, view: Bounds): Decision {
  if (decision.type === 'wait') return decision
  const { plan, now, lastExecutionAt } = view
  if (BigInt(now) < plan.window.start || BigInt(now) > plan.window.end)
    return wait('outside the signed window')
  if (lastExecutionAt !== undefined && now < lastExecutionAt + plan.cadenceSeconds)
    return wait(`signed minimum interval: not before ${isoTime(lastExecutionAt + plan.cadenceSeconds)}`)
  const refusal = refusalOf(decision, view)
  if (refusal) return wait(refusal)
  const cents = leastOf(decision.cents, ...capsOf(decision, view))
  return cents < leastCents ? wait(`${cents} cents are too little for an action`) : { ...decision, cents }
}

function refusalOf(intention: Intention, { plan, phase }: Bounds): string | undefined {
  const has = (name: (typeof plan.classes)[number]) => plan.classes.includes(name)
  if (intention.type === 'swap') {
    const { from, to } = intention
    if (!plan.pairs.some((pair) => pair.from === from && pair.to === to))
      return 'the plan does not allow this pair'
    const unwinds = to === plan.settlement && has('unwind')
    if (!unwinds && !has('swap')) return 'the plan does not allow swaps'
    return mayRun(phase, unwinds ? 'declining' : 'stable')
      ? undefined
      : `this swap is not allowed in phase ${phase}`
  }
  const { type, asset } = intention
  if (!has(type)) return `the plan does not allow ${type}`
  if (!plan.targets.some((target) => target.role === 'vault' && target.asset === asset))
    return 'the plan does not name this vault'
  return mayRun(phase, type === 'deposit' ? 'stable' : 'terminal')
    ? undefined
    : `${type} is not allowed in phase ${phase}`
}

function capsOf(intention: Intention, { plan, phase, holdings, leftTodayCents }: Bounds): bigint[] {
  const symbol = intention.type === 'swap' ? intention.from : intention.asset
  const holding = holdings.find((candidate) => candidate.symbol === symbol)
  // A withdrawal goes to the owner: only the vault's balance limits it.
  if (intention.type === 'withdraw') return [holding?.vaultCents ?? 0n]
  const limits = [plan.sizeCents[phaseNumber(phase)] ?? 0n, leftTodayCents]
  return [...(holding?.floats ? limits.map(insideLimit) : limits), holding?.cents ?? 0n]
}

function mayRun(phase: Phase, last: Phase): boolean {
  return phaseNumber(phase) <= phaseNumber(last)
}
