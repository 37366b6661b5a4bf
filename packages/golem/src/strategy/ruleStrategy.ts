import { dcaStrategy } from './dcaStrategy.ts'
import type { Strategy } from './strategy.ts'
import { vaultStrategy } from './vaultStrategy.ts'

/** Follows the plan by rules: buys at the plan's interval, and manages its vaults. */
export const ruleStrategy: Strategy = async (view) => {
  const { pairs, targets } = view.plan
  const purchase = await dcaStrategy(view)
  if (purchase.type !== 'wait') return purchase
  const hasVault = targets.some(({ role }) => role === 'vault')
  const vaultAction = hasVault ? await vaultStrategy(view) : purchase
  return vaultAction.type === 'wait' && pairs.length > 0 ? purchase : vaultAction
}
