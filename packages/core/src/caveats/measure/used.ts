import type { Usage } from '../boundKind.ts'
import type { ChainState, Read } from '../caveatKind.ts'
import { loadWord } from '../execution/digits.ts'
import { bucketSeconds, spentIn } from './rollingBudget.ts'

/**
 * The words of an enforcer's answer; undefined if the read was not made or the answer is too short.
 *
 * @example
 * const [word = 0n] = wordsIn(state, budgetRead, 1) ?? []
 */
export function wordsIn(state: ChainState, read: Read, words: number): readonly bigint[] | undefined {
  const answer = state.answer(read)
  const digits = answer?.data.slice(2) ?? ''
  if (!answer?.ok || digits.length < 64 * words) return undefined
  return Array.from({ length: words }, (_, index) => loadWord(digits, 32 * index))
}

/** The spending that a rolling budget counts; nothing if the row is newer than the state. */
export function usedInDay(word: bigint, limit: bigint, { timestamp }: ChainState): readonly Usage[] {
  return usedInBuckets(word, bucketSeconds, { timestamp }).map((spent) => ({
    spent,
    limit,
    unit: 'usdCents',
    renews: true,
  }))
}

/** The same for any bucket length; nothing if the row is newer than the state. */
export function usedInBuckets(
  word: bigint,
  bucket: bigint,
  { timestamp }: Pick<ChainState, 'timestamp'>,
): readonly bigint[] {
  return timestamp / bucket < word >> 232n ? [] : [spentIn(word, timestamp, bucket)]
}
