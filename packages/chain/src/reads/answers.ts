import type { Answer, ChainState, Read } from '@bardo/core'

/** Answers by read key. */
export type Answers = ReadonlyMap<string, Answer>

/** A read's key in {@link Answers}, in lower case. */
export function readKey({ to, data }: Read): string {
  return `${to}${data}`.toLowerCase()
}

/** The reads without duplicates. */
export function distinct(reads: readonly Read[]): readonly Read[] {
  return [...new Map(reads.map((read) => [readKey(read), read])).values()]
}

/** Answers, given in the order of their reads, as a map. Omits reads without an answer. */
export function answersOf(reads: readonly Read[], answers: readonly (Answer | undefined)[]): Answers {
  const byKey = new Map<string, Answer>()
  for (const [index, read] of reads.entries()) {
    const answer = answers[index]
    if (answer) byKey.set(readKey(read), answer)
  }
  return byKey
}

/** The chain's state at a block. If several maps have an answer, the first one counts. */
export function stateOf(
  { timestamp, blockNumber }: { readonly timestamp: bigint; readonly blockNumber: bigint },
  ...answers: readonly Answers[]
): ChainState {
  // A cache by the original spelling: an evaluation repeats the same reads many times.
  const cache = new Map<string, Map<string, Answer | undefined>>()
  return {
    timestamp,
    blockNumber,
    answer: (read) => {
      let answersHere = cache.get(read.to)
      if (!answersHere) {
        answersHere = new Map()
        cache.set(read.to, answersHere)
      }
      const cached = answersHere.get(read.data)
      if (cached || answersHere.has(read.data)) return cached
      const key = readKey(read)
      const answer = answers.find((map) => map.has(key))?.get(key)
      answersHere.set(read.data, answer)
      return answer
    },
  }
}
