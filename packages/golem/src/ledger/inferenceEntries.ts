import { randomUUID } from 'node:crypto'
import { inferenceUsed, type LedgerTransaction } from '@bardo/core'
import type { InferenceReport } from '../strategy/strategy.ts'

/** The cost of an answer of a model, at a time in Unix seconds. The source is new for each report. */
export function inferenceEntries(
  { price, creditor, isEstimated, ...inference }: InferenceReport,
  at: number,
): LedgerTransaction {
  const posted = inferenceUsed({ source: `usage:${randomUUID()}`, at, creditor }, inference, price)
  return isEstimated ? { ...posted, details: { ...posted.details, estimated: 'yes' } } : posted
}
