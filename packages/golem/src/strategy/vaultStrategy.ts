import { phaseNumber } from '@bardo/core'
import { boundDecision } from './boundDecision.ts'
import { keepConstitution } from './keepConstitution.ts'
import { type Holding, type Intention, type Strategy, wait } from './strategy.ts'

/**
 * Manages vaults: deposits what exceeds the reserve, withdraws what is missing from it, and withdraws
 * everything in
 * Declining and Terminal. Uses no model.
 */
export const vaultStrategy: Strategy = async (view) => {
  const { plan, holdings, reserveCents, phase } = view
  const isLeaving = phaseNumber(phase) >= phaseNumber('declining')
  const requests = plan.targets.flatMap((target): Intention[] => {
    const holding =
      target.role === 'vault' ? holdings.find(({ symbol }) => symbol === target.asset) : undefined
    return holding ? intentionFor(holding, reserveCents, isLeaving) : []
  })
  const decisions = requests.map((request) => keepConstitution(boundDecision(request, view), view))
  return decisions.find(({ type }) => type !== 'wait') ?? decisions[0] ?? wait('the vaults need no action')
}

function intentionFor(
  { symbol, cents, vaultCents }: Holding,
  reserveCents: bigint,
  isLeaving: boolean,
): Intention[] {
  if (isLeaving)
    return vaultCents > 0n
      ? [{ type: 'withdraw', asset: symbol, cents: vaultCents, because: 'the Golem is winding down' }]
      : []
  if (cents > reserveCents)
    return [
      {
        type: 'deposit',
        asset: symbol,
        cents: cents - reserveCents,
        because: `above the reserve of ${reserveCents} cents`,
      },
    ]
  const missing = reserveCents - cents
  if (missing === 0n || vaultCents === 0n) return []
  return [
    {
      type: 'withdraw',
      asset: symbol,
      cents: missing,
      because: `below the reserve of ${reserveCents} cents`,
    },
  ]
}
