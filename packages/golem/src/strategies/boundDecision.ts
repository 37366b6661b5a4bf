import { leastOf, type Phase, phaseNumber } from '@bardo/core'
import { type Decision, type Intention, type View, wait } from './strategy.ts'

/** Below a dollar nothing is worth its gas. Origin: ours. */
const leastCents = 100n

/** What of a view bounds a decision. */
export type Bounds = Pick<View, 'now' | 'phase' | 'plan' | 'holdings' | 'leftTodayCents' | 'lastExecutionAt'>

/**
 * What the plan leaves of a decision: only classes, pairs and vaults that it names, only in their phases and their time,
 * and no more than its size, its day and the balance allow. It is the one way from a strategy to an action.
 */
export function boundDecision(decision: Decision, view: Bounds): Decision {
  if (decision.is === 'wait') return decision
  const { plan, now, lastExecutionAt } = view
  if (BigInt(now) < plan.window.start || BigInt(now) > plan.window.end)
    return wait('the signed window is not now')
  if (lastExecutionAt !== undefined && now < lastExecutionAt + plan.cadenceSeconds)
    return wait(`the signed rhythm: not before ${lastExecutionAt + plan.cadenceSeconds}`)
  const refusal = refusalOf(decision, view)
  if (refusal) return wait(refusal)
  const cents = leastOf(decision.cents, ...capsOf(decision, view))
  return cents < leastCents ? wait(`${cents} cents are too little to act on`) : { ...decision, cents }
}

function refusalOf(intention: Intention, { plan, phase }: Bounds): string | undefined {
  const has = (name: (typeof plan.classes)[number]) => plan.classes.includes(name)
  if (intention.is === 'swap') {
    const { from, to } = intention
    if (!plan.pairs.some((pair) => pair.from === from && pair.to === to))
      return 'the plan does not allow this pair'
    const unwinds = to === plan.settlement && has('unwind')
    if (!unwinds && !has('swap')) return 'the plan does not allow swaps'
    return mayRun(phase, unwinds ? 'declining' : 'stable') ? undefined : `no such swap while ${phase}`
  }
  const { is, asset } = intention
  if (!has(is)) return `the plan does not allow to ${is}`
  if (!plan.targets.some((target) => target.role === 'vault' && target.asset === asset))
    return 'the plan names no such vault'
  return mayRun(phase, is === 'deposit' ? 'stable' : 'terminal') ? undefined : `no ${is} while ${phase}`
}

function capsOf(intention: Intention, { plan, phase, holdings, leftTodayCents }: Bounds): bigint[] {
  const symbol = intention.is === 'swap' ? intention.from : intention.asset
  const holding = holdings.find((candidate) => candidate.symbol === symbol)
  // What comes out of the vault goes to the owner: nothing bounds it but what is there.
  if (intention.is === 'withdraw') return [holding?.vaultCents ?? 0n]
  return [plan.sizeCents[phaseNumber(phase)] ?? 0n, leftTodayCents, holding?.cents ?? 0n]
}

function mayRun(phase: Phase, last: Phase): boolean {
  return phaseNumber(phase) <= phaseNumber(last)
}
