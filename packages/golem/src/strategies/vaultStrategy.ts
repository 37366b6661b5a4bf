import { phaseNumber } from '@bardo/core'
import { boundDecision } from './boundDecision.ts'
import { type Holding, type Intention, type Strategy, wait } from './strategy.ts'

/**
 * Looks after vaults: what is above the reserve goes in, what is missing from it comes out, and in Declining and
 * Terminal everything comes out. No model.
 */
export const vaultStrategy: Strategy = async (view) => {
  const { plan, holdings, reserveCents, phase } = view
  const isLeaving = phaseNumber(phase) >= phaseNumber('declining')
  const wishes = plan.targets.flatMap((target): Intention[] => {
    const holding =
      target.role === 'vault' ? holdings.find(({ symbol }) => symbol === target.asset) : undefined
    return holding ? wishFor(holding, reserveCents, isLeaving) : []
  })
  const decisions = wishes.map((wish) => boundDecision(wish, view))
  return decisions.find(({ is }) => is !== 'wait') ?? decisions[0] ?? wait('the vaults are as they should be')
}

function wishFor(
  { symbol, cents, vaultCents }: Holding,
  reserveCents: bigint,
  isLeaving: boolean,
): Intention[] {
  if (isLeaving)
    return vaultCents > 0n
      ? [{ is: 'withdraw', asset: symbol, cents: vaultCents, because: 'the end is near' }]
      : []
  if (cents > reserveCents)
    return [
      {
        is: 'deposit',
        asset: symbol,
        cents: cents - reserveCents,
        because: `above the reserve of ${reserveCents} cents`,
      },
    ]
  const missing = reserveCents - cents
  if (missing === 0n || vaultCents === 0n) return []
  return [
    { is: 'withdraw', asset: symbol, cents: missing, because: `below the reserve of ${reserveCents} cents` },
  ]
}
