import { dcaStrategy } from './dcaStrategy.ts'
import type { Strategy } from './strategy.ts'
import { vaultStrategy } from './vaultStrategy.ts'

/** Follows the plan by rules alone: it buys where the plan has a rhythm, and looks after its vaults. */
export const ruleStrategy: Strategy = async (view) => {
  const { pairs, targets } = view.plan
  const bought = await dcaStrategy(view)
  if (bought.is !== 'wait') return bought
  const hasVault = targets.some(({ role }) => role === 'vault')
  const kept = hasVault ? await vaultStrategy(view) : bought
  return kept.is === 'wait' && pairs.length > 0 ? bought : kept
}
