import type { Outcome } from './playLife.ts'

/** A whole life as one JSON document. Amounts are decimal strings, as JSON has no whole numbers of that size. */
export function toJson(outcome: Outcome): string {
  const { steps, feeds, replicants, leftBehind } = outcome
  const told = steps.map(({ refusal, ...step }) => ({ ...step, ...refusal }))
  return JSON.stringify(
    {
      ...outcome,
      steps: told,
      refusals: told.filter(({ verdict }) => verdict === 'refused'),
      feeds: feeds.map(({ transaction, amount }) => ({ transaction, amount })),
      replicants: replicants.map(({ id, key, budgetCents, spent }) => ({ id, key, budgetCents, spent })),
      leftBehind: Number(leftBehind),
    },
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    2,
  )
}
