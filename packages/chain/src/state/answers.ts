import type { Answer, ChainState, Read } from '@bardo/core'

/** What the chain answered, by question. */
export type Answers = ReadonlyMap<string, Answer>

/** A question's name in {@link Answers}: the case of its letters does not matter. */
export function readKey({ to, data }: Read): string {
  return `${to}${data}`.toLowerCase()
}

/** Each question once. */
export function distinct(reads: readonly Read[]): readonly Read[] {
  return [...new Map(reads.map((read) => [readKey(read), read])).values()]
}

/** Answers in the order of their questions, as a map. What was not answered is left out. */
export function answersOf(reads: readonly Read[], answers: readonly (Answer | undefined)[]): Answers {
  const found = new Map<string, Answer>()
  for (const [index, read] of reads.entries()) {
    const answer = answers[index]
    if (answer) found.set(readKey(read), answer)
  }
  return found
}

/** A moment of the chain; where several maps answer, the first one counts. */
export function stateOf(
  { timestamp, blockNumber }: { readonly timestamp: bigint; readonly blockNumber: bigint },
  ...answers: readonly Answers[]
): ChainState {
  // As questions were spelled before: an evaluation asks the same ones over and over.
  const asked = new Map<string, Map<string, Answer | undefined>>()
  return {
    timestamp,
    blockNumber,
    answer: (read) => {
      let known = asked.get(read.to)
      if (!known) {
        known = new Map()
        asked.set(read.to, known)
      }
      if (known.has(read.data)) return known.get(read.data)
      const key = readKey(read)
      const answer = answers.find((map) => map.has(key))?.get(key)
      known.set(read.data, answer)
      return answer
    },
  }
}
