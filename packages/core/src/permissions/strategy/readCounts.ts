import type { Evidence } from '../permissionPlan.ts'
import { wordSet } from './lexicon.ts'
import type { Word } from './readSentences.ts'
import { behindCount, countBefore } from './readTimes.ts'

/** How many actions in total, or per period. */
export type Counts = {
  /** Maximum number of actions: "once", "three times". */
  readonly calls: number | undefined
  /** Minimum seconds between two actions: "3 trades a day". */
  readonly cadence: number | undefined
  /** "in 4 parts": the amount is for all parts together. */
  readonly parts: number | undefined
}

/** Counts that a sentence states, with their positions. */
export type CountLimit = Pick<Counts, 'calls' | 'cadence'> & { readonly from: Evidence }

const things = wordSet(
  'times trade trades swap swaps buys sells order orders transaction transactions purchase purchases action actions execution executions deposit deposits',
)
const parts = wordSet(
  'tranches parts steps chunks instalments installments portions slices trades swaps orders buys purchases',
)
const singles = wordSet('one-off one-time single-shot')

/**
 * Reads "once", "three times", "at most 3 trades a day" and "in 4 parts". The narrowest of several counts.
 */
export function readCounts(words: readonly Word[]): Counts {
  let [calls, cadence, split]: (number | undefined)[] = []
  const times = (count: number, behind: number) => {
    const seconds = behindCount(words, behind)
    if (seconds === undefined) calls = Math.min(calls ?? count, count)
    else cadence = Math.max(cadence ?? 0, Math.ceil(seconds / count))
  }
  for (const [at, { text }] of words.entries()) {
    if (isOnce(words, at)) calls = 1
    else if (text === 'twice' && behindCount(words, at + 1) === undefined) calls = Math.min(calls ?? 2, 2)
    else if (text === 'time' && countBefore(words, at) === 1 && words[at - 2]?.text !== 'at') times(1, at + 1)
    else if (things.has(text)) {
      const count = countBefore(words, at)
      // "a trade" and "one order" state the size of each, not a count.
      if (count === undefined || count < 1 || /^an?$/.test(words[at - 1]?.text ?? '')) continue
      if (count === 1 && text !== 'times') continue
      if (words[at - 2]?.text === 'in' && parts.has(text)) split = count
      times(count, at + 1)
    } else if (parts.has(text) && words[at - 2]?.text === 'in') {
      const count = countBefore(words, at)
      if (count === undefined || count < 1) continue
      split = count
      times(count, at + 1)
    }
  }
  return { calls, cadence, parts: split }
}

/**
 * "once", "a single swap", "one-off"; but "once a week" is an interval, and "once the price falls" a
 * condition.
 */
function isOnce(words: readonly Word[], at: number): boolean {
  const [text, next] = [words[at]?.text ?? '', words[at + 1]?.text]
  if (singles.has(text)) return true
  if (text === 'single')
    return (
      /^(swap|trade|buy|purchase|deposit|time|transaction|order)$/.test(next ?? '') &&
      !/^(each|every|per|any)$/.test(words[at - 1]?.text ?? '')
    )
  if (text !== 'once') return false
  if (behindCount(words, at + 1) !== undefined) return false
  return (
    next === undefined ||
    /^[,.:;)|$\d]|^(only|and|now|today|at|then|for|with|from|into|to|swap|buy|sell|deposit)$/.test(next)
  )
}

/** "once WETH is below $2,000" is not a count. */
export function isOnceCondition(words: readonly Word[], at: number): boolean {
  return words[at]?.text === 'once' && !isOnce(words, at) && behindCount(words, at + 1) === undefined
}
