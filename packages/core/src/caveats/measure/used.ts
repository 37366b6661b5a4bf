import type { Usage } from '../boundKind.ts'
import type { ChainState, Read } from '../caveatKind.ts'
import { loadWord } from '../execution/digits.ts'
import { bucketSeconds, spentNow } from './rollingBudget.ts'

/** The words of an enforcer's answer about itself; undefined where nobody asked, or it said too little. */
export function wordsIn(state: ChainState, read: Read, words: number): readonly bigint[] | undefined {
  const answer = state.answer(read)
  const digits = answer?.data.slice(2) ?? ''
  if (!answer?.ok || digits.length < 64 * words) return undefined
  return Array.from({ length: words }, (_, index) => loadWord(digits, 32 * index))
}

/** What a rolling budget counts as spent; nothing where the row is from a later time than the state. */
export function usedInDay(word: bigint, limit: bigint, { timestamp }: ChainState): readonly Usage[] {
  if (timestamp / bucketSeconds < word >> 232n) return []
  return [{ spent: spentNow(word, timestamp), limit, unit: 'usdCents', renews: true }]
}
