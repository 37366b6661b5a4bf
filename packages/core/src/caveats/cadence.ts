import type { Hex } from 'viem'
import { formatDuration } from '../format/duration.ts'
import { caveatKind } from './caveatKind.ts'
import { openCalls } from './execution/calls.ts'
import { type Digits, digitsOf, hexAt, smallAt } from './execution/digits.ts'
import { requireRested } from './measure/lifetime.ts'
import { managerReads, readable, type Unlooked } from './measure/reads.ts'
import { below, coverage, otherLineage } from './terms/coverage.ts'
import { checkedTerms, decodedTerms, packed, requireLength } from './terms/packed.ts'
import { evaluateManagedHooks, ownManager } from './verdict/evaluateHooks.ts'
import { rowQuestion } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'
import { askOwn, rewriting } from './verdict/staticRead.ts'

export type CadenceTerms = { readonly lineage: Hex; readonly intervalSeconds: number }

const name = 'Cadence'

/** At most one execution in every interval. */
export const cadence = caveatKind<CadenceTerms>({
  name,
  encode: ({ lineage, intervalSeconds }) =>
    checkedTerms(name, packed([32, lineage], [4, intervalSeconds]), readKnown),
  decode: (terms) => decodedTerms(name, terms, readKnown),
  covers: (parent, child) =>
    coverage(
      otherLineage(child.lineage, parent.lineage),
      below('interval in seconds', child.intervalSeconds, parent.intervalSeconds),
    ),
  describe: ({ intervalSeconds }) => `at most one execution every ${formatDuration(intervalSeconds)}`,
  reads: (terms, context) => {
    const decoded = readable(terms, readKnown)
    return decoded ? [...managerReads(context), rowRead(context, decoded.lineage)] : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(
      context,
      (chain) => {
        const { lineage, intervalSeconds } = read(digitsOf(terms))
        openCalls(context.execution)
        requireInterval(intervalSeconds)
        const [last = 0n] = askOwn(chain, rowRead(context, lineage), 1)
        requireRested(chain, last, intervalSeconds)
      },
      ownManager,
    ),
  leaves: (terms, context) => {
    const row = rowRead(context, read(digitsOf(terms)).lineage)
    return { rewrite: rewriting(row, context.before.timestamp) }
  },
})

function rowRead(context: Unlooked, lineage: Hex) {
  return rowQuestion(context, 'lastExecution', lineage)
}

function read(terms: Digits): CadenceTerms {
  requireLength(terms, 36)
  return { lineage: hexAt(terms, 0, 32), intervalSeconds: smallAt(terms, 32, 4) }
}

function readKnown(terms: Digits): CadenceTerms {
  const decoded = read(terms)
  requireInterval(decoded.intervalSeconds)
  return decoded
}

function requireInterval(seconds: number): void {
  if (seconds === 0) refuse('TermsUnknown', 0n)
}
