import { phaseNumber } from '@bardo/core'
import { boundDecision } from './boundDecision.ts'
import { keepConstitution } from './keepConstitution.ts'
import { removal } from './liquidityStrategy.ts'
import type { Decision, View } from './strategy.ts'

const because = 'the Golem is winding down'

/**
 * What a Golem does by itself in Conservation and Declining, whatever its strategy says: it closes its liquidity, empties
 * its vaults, and sells what it bought into the settlement asset, as far as the signed plan allows, one action a tick.
 * Undefined if nothing is left to do.
 */
export function windDown(view: View): Decision | undefined {
  const { plan, phase, holdings, liquidity, bought = {} } = view
  if (phase !== 'conservation' && phaseNumber(phase) !== phaseNumber('declining')) return undefined
  const { settlement } = plan
  const wanted: Decision[] = [
    ...(liquidity?.positions ?? []).map((position) => removal(position, because)),
    ...plan.targets.flatMap((target): Decision[] => {
      if (target.role !== 'vault') return []
      const cents = holdings.find(({ symbol }) => symbol === target.asset)?.vaultCents ?? 0n
      return cents > 0n ? [{ type: 'withdraw', asset: target.asset, cents, because }] : []
    }),
    ...Object.entries(bought).flatMap(([from, cents]): Decision[] =>
      settlement === undefined || from === settlement
        ? []
        : [{ type: 'swap', from, to: settlement, cents, because }],
    ),
  ]
  const decisions = wanted.map((decision) => keepConstitution(boundDecision(decision, view), view))
  return decisions.find(({ type }) => type !== 'wait')
}
