import { boundDecision } from './boundDecision.ts'
import { dcaStrategy } from './dcaStrategy.ts'
import { liquidityStrategy } from './liquidityStrategy.ts'
import { type Decision, type Strategy, type View, wait } from './strategy.ts'
import { vaultStrategy } from './vaultStrategy.ts'

/** Follows the plan by rules: manages its liquidity, buys at the plan's interval, and manages its vaults. */
export const ruleStrategy: Strategy = async (view) => {
  const { pairs, targets } = view.plan
  const spawn = spawnIfDue(view)
  if (spawn.type !== 'wait') return spawn
  const provided = view.plan.classes.includes('addLiquidity') ? await liquidityStrategy(view) : undefined
  if (provided && provided.type !== 'wait') return provided
  const purchase = await dcaStrategy(view)
  if (purchase.type !== 'wait') return purchase
  const hasVault = targets.some(({ role }) => role === 'vault')
  const vaultAction = hasVault ? await vaultStrategy(view) : purchase
  if (vaultAction.type !== 'wait') return vaultAction
  return provided ?? (pairs.length > 0 ? purchase : vaultAction)
}

/** A Replicant at the interval that the signed strategy names, as long as it may have more. */
function spawnIfDue(view: View): Decision {
  const { replicants, now } = view
  if (replicants?.everySeconds === undefined) return wait('the strategy names no interval for Replicants')
  const { everySeconds, lastBornAt, dayCents } = replicants
  if (lastBornAt !== undefined && now < lastBornAt + everySeconds)
    return wait('the last Replicant is too recent')
  const because = `a Replicant every ${everySeconds} seconds`
  return boundDecision({ type: 'replicate', cents: dayCents, because }, view)
}
