import { clauseMarks, comparatives, conditions, contrasts, deniedBy, exceptions } from './lexicon.ts'
import type { Sentence, Word } from './readSentences.ts'

/** A part of a sentence that is requested or forbidden as one: from one "but" to the next. */
export type Segment = {
  readonly words: readonly Word[]
  /** For each word, whether it is negated; empty if none is. */
  readonly negated: readonly boolean[]
  /** The prohibition is conditional, such as "when gas is high" or "more than $50". */
  readonly conditional: boolean
  /** The prohibition names an exception, such as "unless …". */
  readonly excepted: boolean
}

/** Splits a sentence at contrasts, and finds the negated words. Linear in its length. */
export function readSegments({ words, frame }: Sentence): Segment[] {
  const segments: Segment[] = []
  let start = 0
  for (let index = 0; index <= words.length; index += 1) {
    const word = words[index]
    // "Anything but bridge" forbids bridging; any other "but" starts a new part.
    const turns = word === undefined || (contrasts.has(word.text) && !isAnythingBut(words, index))
    if (!turns) continue
    if (index > start) segments.push(readSegment(words.slice(start, index), frame === 'negated'))
    start = index + 1
  }
  return segments
}

function isAnythingBut(words: readonly Word[], index: number): boolean {
  return /^(anything|everything|all|any|everyone|anywhere)$/.test(words[index - 1]?.text ?? '')
}

function readSegment(words: readonly Word[], framed: boolean): Segment {
  if (!framed && !words.some((_, index) => negates(words, index))) {
    return { words, negated: [], conditional: false, excepted: false }
  }
  const excepted = words.some(({ text }) => exceptions.has(text))
  if (framed) return { words, negated: words.map(() => true), conditional: false, excepted }
  const conditional =
    !excepted && words.some(({ text }, index) => conditions.has(text) && words[index - 1]?.text !== 'even')

  // The number of words before each position that name a capability.
  const named: number[] = [0]
  for (const { text } of words) named.push((named.at(-1) ?? 0) + (deniedBy.has(text) ? 1 : 0))
  const names = (from: number, to: number) => (named[to] ?? 0) > (named[from] ?? 0)

  let clauseStart = 0
  const clauses: { start: number; end: number }[] = []
  for (let index = 0; index <= words.length; index += 1) {
    const word = words[index]
    if (word !== undefined && !clauseMarks.has(word.text)) continue
    clauses.push({ start: clauseStart, end: index })
    clauseStart = index + 1
  }

  // A negation applies to the end of the part; backwards only as far as needed.
  let forward = words.length
  const edges = new Array<number>(words.length + 1).fill(0)
  const mark = (from: number, to: number) => {
    edges[from] = (edges[from] ?? 0) + 1
    edges[to] = (edges[to] ?? 0) - 1
  }
  let wholeBefore = 0
  for (const { start, end } of clauses) {
    let firstInClause = -1
    let lastInClause = -1
    for (let index = start; index < end; index += 1) {
      if (!negates(words, index)) continue
      if (firstInClause < 0) firstInClause = index
      lastInClause = index
    }
    if (firstInClause < 0) continue
    forward = Math.min(forward, firstInClause)
    if (names(lastInClause, end)) continue
    if (names(start, lastInClause)) mark(start, lastInClause)
    else wholeBefore = Math.max(wholeBefore, start)
  }
  mark(0, wholeBefore)
  mark(forward, words.length)
  let depth = 0
  const negated = words.map((_, index) => {
    depth += edges[index] ?? 0
    return depth > 0
  })
  return { words, negated, conditional, excepted }
}

/** Whether the word at this index negates, and is not part of a limit such as "no more than". */
function negates(words: readonly Word[], index: number): boolean {
  const word = words[index]
  if (!word) return false
  if (word.text === 'but') return isAnythingBut(words, index)
  if (word.foreign) return true
  if (!word.negates) return false
  const [before, next] = [words[index - 1]?.text ?? '', words[index + 1]?.text ?? '']
  // "Every block" is a time on a chain.
  if (/^blocks?$/.test(word.text) && /^(every|each|per|\d+)$/.test(before)) return false
  // "Keep away from" forbids; "two deviations away from" does not.
  if (/^(away|clear)$/.test(word.text)) return /^(keep|keeps|stay|stays|steer|shy)$/.test(before)
  if (/^(matter|exceed|exceeding|above|over)$/.test(next)) return false
  return !(comparatives.has(next) && words[index + 2]?.text === 'than')
}
