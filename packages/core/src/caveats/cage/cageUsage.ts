import type { Row, Usage } from '../boundKind.ts'
import type { ChainState } from '../caveatKind.ts'
import { bucketSeconds } from '../measure/rollingBudget.ts'
import { bucketOf, type Total } from '../measure/totals.ts'
import { usedInBuckets, usedInDay, wordsIn } from '../measure/used.ts'
import { rowLength, rowRead, totalIn } from './cageRow.ts'
import { type CageTerms, type GasBound, weiPerMicroEther } from './cageTerms.ts'

/** Usage of the daily budget and, where limited, of executions, lifetime budget, longer periods and gas. */
export function cageUsage(terms: CageTerms, row: Row, state: ChainState): readonly Usage[] {
  const { dayCents, calls, life, gas } = terms
  const [budget, made, everSpent, , , , gasDrawn] =
    wordsIn(state, rowRead(row, terms), rowLength(terms)) ?? []
  if (budget === undefined || made === undefined || everSpent === undefined) return []
  return [
    ...usedInDay(budget, dayCents, state),
    ...(calls === 0 ? [] : [{ spent: made, limit: BigInt(calls), unit: 'calls', renews: false } as const]),
    ...(life
      ? [{ spent: everSpent, limit: life.allowedCents, unit: 'usdCents', renews: false } as const]
      : []),
    ...(terms.totals ?? []).flatMap((total) =>
      usedInTotal(total, totalIn(wordsIn(state, rowRead(row, terms, total), rowLength(terms))), state),
    ),
    ...(gas && gasDrawn !== undefined ? usedGas(gasDrawn, gas, state) : []),
  ]
}

function usedInTotal(
  { periodSeconds, cents }: Total,
  word: bigint | undefined,
  state: ChainState,
): readonly Usage[] {
  if (word === undefined) return []
  const bucket = bucketOf(periodSeconds)
  if (bucket === undefined) return [{ spent: word, limit: cents, unit: 'usdCents', renews: false }]
  return usedInBuckets(word, bucket, state).map((spent) => ({
    spent,
    limit: cents,
    unit: 'usdCents',
    renews: true,
    periodSeconds,
  }))
}

function usedGas(word: bigint, { microEtherPerDay }: GasBound, state: ChainState): readonly Usage[] {
  return usedInBuckets(word, bucketSeconds, state).map((spent) => ({
    spent: spent * weiPerMicroEther,
    limit: microEtherPerDay * weiPerMicroEther,
    unit: 'native',
    renews: true,
    periodSeconds: 86_400,
  }))
}
