import { isoTime, leastOf, type Phase, phaseNumber } from '@bardo/core'
import { type Decision, type Intention, type Spawn, soldBy, type View, type Wait, wait } from './strategy.ts'

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
export type Bounds = Pick<
  View,
  | 'now'
  | 'phase'
  | 'plan'
  | 'holdings'
  | 'leftTodayCents'
  | 'lastExecutionAt'
  | 'replicants'
  | 'mood'
  | 'liquidity'
  | 'windDown'
>

/**
 * Limits a decision to the plan: only its classes, pairs and vaults, only in their phases and window, and at
 * most its size,
 * its daily limit and the balance. Every action of a strategy goes through it.
 */
export function boundDecision(decision: Intention | Wait, view: Bounds): Intention | Wait
export function boundDecision(decision: Decision, view: Bounds): Decision
export function boundDecision(decision: Decision, view: Bounds): Decision {
  if (decision.type === 'wait') return decision
  if (decision.type === 'replicate') return boundSpawn(decision, view)
  const { plan, now, lastExecutionAt } = view
  if (BigInt(now) < plan.window.start || BigInt(now) > plan.window.end)
    return wait('outside the signed window')
  if (lastExecutionAt !== undefined && now < lastExecutionAt + plan.cadenceSeconds)
    return wait(`signed minimum interval: not before ${isoTime(lastExecutionAt + plan.cadenceSeconds)}`)
  const refusal = refusalOf(decision, view) ?? moodRefusal(decision, view)
  if (refusal) return wait(refusal)
  // Closing a position is not too small for an action: whatever it holds belongs in the account.
  if (decision.type === 'removeLiquidity') return decision
  if (decision.type === 'collect') {
    const fees = ownPosition(decision, view)?.feeCents ?? 0n
    return fees < leastCents ? wait(`${fees} cents of fees are too little for an action`) : decision
  }
  const cents = leastOf(decision.cents, ...capsOf(decision, view))
  return cents < leastCents ? wait(`${cents} cents are too little for an action`) : { ...decision, cents }
}

function boundSpawn(decision: Spawn, { phase, replicants }: Bounds): Decision {
  if (!replicants) return wait('the signed strategy does not allow Replicants')
  if (phase !== 'thriving') return wait(`a Replicant is not allowed in phase ${phase}`)
  if (replicants.left === 0) return wait('it has as many Replicants as the signed strategy allows')
  const cents = leastOf(decision.cents, replicants.dayCents)
  return cents < leastCents
    ? wait(`${cents} cents a day are too little for a Replicant`)
    : { ...decision, cents }
}

function refusalOf(intention: Intention, view: Bounds): string | undefined {
  const { plan, phase, windDown = [] } = view
  const has = (name: (typeof plan.classes)[number]) => plan.classes.includes(name)
  if (intention.type === 'swap') {
    const { from, to } = intention
    if (!plan.pairs.some((pair) => pair.from === from && pair.to === to))
      return 'the plan does not allow this pair'
    const isLate = windDown.some((pair) => pair.from === from && pair.to === to)
    if (isLate && mayRun(phase, 'stable')) return `the strategy sells ${from} only when it winds down`
    const unwinds = to === plan.settlement && has('unwind')
    if (!unwinds && !has('swap')) return 'the plan does not allow swaps'
    return mayRun(phase, unwinds ? 'declining' : 'stable')
      ? undefined
      : `this swap is not allowed in phase ${phase}`
  }
  if (intention.type === 'addLiquidity') return liquidityRefusal(intention, view)
  if (intention.type === 'removeLiquidity' || intention.type === 'collect') {
    if (!has('removeLiquidity')) return `the plan does not allow ${intention.type}`
    return ownPosition(intention, view)
      ? undefined
      : `liquidity-${intention.tokenId} is not a position that this Golem opened`
  }
  const { type, asset } = intention
  if (!has(type)) return `the plan does not allow ${type}`
  if (!plan.targets.some((target) => target.role === 'vault' && target.asset === asset))
    return 'the plan does not name this vault'
  return mayRun(phase, type === 'deposit' ? 'stable' : 'terminal')
    ? undefined
    : `${type} is not allowed in phase ${phase}`
}

function liquidityRefusal(
  intention: Extract<Intention, { type: 'addLiquidity' }>,
  view: Bounds,
): string | undefined {
  const { plan, phase } = view
  const pool = intention.assets.join('/')
  if (!plan.classes.includes('addLiquidity')) return 'the plan does not allow addLiquidity'
  if (!plan.targets.some((target) => target.role === 'pool' && target.assets.join('/') === pool))
    return `the plan does not name the pool ${pool}`
  if (intention.tokenId !== undefined && !ownPosition({ ...intention, tokenId: intention.tokenId }, view))
    return `liquidity-${intention.tokenId} is not a position that this Golem opened`
  return mayRun(phase, 'stable') ? undefined : `addLiquidity is not allowed in phase ${phase}`
}

function ownPosition(
  { tokenId, assets }: { readonly tokenId: bigint; readonly assets: readonly [string, string] },
  { liquidity }: Bounds,
) {
  return liquidity?.positions.find(
    (one) => one.tokenId === tokenId && one.assets.join('/') === assets.join('/'),
  )
}

/**
 * Why the signed emotional state stops an opening action. The chain would refuse it, and a refused attempt would
 * move the mood further away.
 */
function moodRefusal(intention: Intention, { plan, mood }: Bounds): string | undefined {
  const signed = plan.sections.mood
  if (!signed || !mood) return undefined
  const isUnwinding =
    intention.type === 'swap' && intention.to === plan.settlement && plan.classes.includes('unwind')
  const name = isUnwinding ? 'unwind' : intention.type
  if (!signed.classes.some((restricted) => restricted === name)) return undefined
  const { minPleasure, maxArousal, minDominance } = signed.bounds
  const outside = [
    ...(mood.pleasure < minPleasure ? [`pleasure ${mood.pleasure} is below ${minPleasure}`] : []),
    ...(mood.arousal > maxArousal ? [`arousal ${mood.arousal} is above ${maxArousal}`] : []),
    ...(mood.dominance < minDominance ? [`dominance ${mood.dominance} is below ${minDominance}`] : []),
  ]
  return outside.length === 0 ? undefined : `signed emotional state: ${outside.join(', ')}`
}

function capsOf(intention: Intention, view: Bounds): bigint[] {
  const { plan, phase, holdings, leftTodayCents } = view
  // A withdrawal goes to the owner: only the vault's balance limits it.
  if (intention.type === 'withdraw')
    return [holdings.find(({ symbol }) => symbol === intention.asset)?.vaultCents ?? 0n]
  const limits = [plan.sizeCents[phaseNumber(phase)] ?? 0n, leftTodayCents]
  const sold = soldBy(intention).map((asset) => holdings.find(({ symbol }) => symbol === asset))
  const held = sold.reduce((sum, holding) => sum + (holding?.cents ?? 0n), 0n)
  return [...(sold.some((holding) => holding?.floats) ? limits.map(insideLimit) : limits), held]
}

function mayRun(phase: Phase, last: Phase): boolean {
  return phaseNumber(phase) <= phaseNumber(last)
}
