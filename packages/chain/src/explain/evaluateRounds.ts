import {
  type ChainState,
  type Delegation,
  type DelegationQuestion,
  type DelegationVerdict,
  delegationReads,
  evaluateDelegations,
  type Read,
  type Registry,
} from '@bardo/core'
import { distinct, readKey } from '../reads/answers.ts'

/** One answer may be needed to ask the next. No caveat takes more rounds than this. */
const maxRounds = 8

/** What to evaluate. */
export type Evaluation = {
  readonly links: readonly Delegation[]
  readonly registry: Registry
  readonly question: Omit<DelegationQuestion, 'before' | 'after'>
  /** What an earlier evaluation of the same leaf needed: with it the first round is usually enough. */
  readonly remembered?: readonly Read[]
}

/** The chain's state before an execution and, if it is known, after it. */
export type Seen = { readonly before: ChainState; readonly after?: ChainState | undefined }

/**
 * Evaluates delegations: reads what the evaluation needs, evaluates, and reads again what it missed.
 *
 * @param look - reads the state that answers these reads, at the same block each time
 */
export async function evaluateRounds<State extends Seen>(
  { links, registry, question, remembered = [] }: Evaluation,
  look: (reads: readonly Read[]) => Promise<State>,
): Promise<State & { readonly verdict: DelegationVerdict; readonly reads: readonly Read[] }> {
  let reads = distinct([...delegationReads(links, registry, question), ...remembered])
  for (let round = 1; ; round += 1) {
    const seen = await look(reads)
    const verdict = evaluateDelegations(links, registry, {
      ...question,
      before: seen.before,
      after: seen.after,
    })
    const asked = new Set(reads.map(readKey))
    const missing = missingIn(verdict).filter((read) => !asked.has(readKey(read)))
    if (missing.length === 0 || round === maxRounds) return { ...seen, verdict, reads }
    reads = distinct([...reads, ...missing])
  }
}

function missingIn({ manager, caveats }: DelegationVerdict): readonly Read[] {
  return [manager, ...caveats.map(({ verdict }) => verdict)].flatMap((verdict) =>
    verdict.type === 'unknown' && typeof verdict.missing !== 'string' ? verdict.missing : [],
  )
}
