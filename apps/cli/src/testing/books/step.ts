import { createRandom } from '@bardo/core/testing/random'

/** The operations with their weights. */
const weights = {
  summon: 1,
  tick: 3,
  feed: 3,
  adjust: 3,
  rotate: 3,
  suspect: 3,
  replicate: 1,
  runway: 3,
  draw: 2,
  pass: 3,
  sleep: 2,
  price: 1,
  reorg: 2,
  revoke: 1,
  kill: 1,
} as const

/** An operation of a sequence. */
export type Operation = keyof typeof weights

/** One step of a sequence. Its own seed decides everything else, so a step stays the same when others are removed. */
export type Step = { readonly operation: Operation; readonly seed: number }

const operations = Object.keys(weights) as Operation[]
/** Each operation, repeated by its weight. */
const pool: readonly [Operation, ...Operation[]] = [
  'summon',
  ...operations.flatMap((name) => Array.from({ length: weights[name] }, () => name)),
]
const [leastSteps, mostSteps] = [3, 6]

/** The sequence of a seed. It begins with a summon. */
export function drawSequence(seed: number): readonly Step[] {
  const dice = createRandom(seed)
  const length = leastSteps + dice.below(mostSteps - leastSteps + 1)
  const drawOperation = () => dice.pick(pool)
  const drawSeed = () => dice.below(2 ** 31)
  return [
    { operation: 'summon', seed: drawSeed() },
    ...Array.from({ length }, () => ({ operation: drawOperation(), seed: drawSeed() })),
  ]
}

/** A sequence as one line for `readSequence`. */
export function sequenceToText(steps: readonly Step[]): string {
  return steps.map(({ operation, seed }) => `${operation}:${seed}`).join(' ')
}

/** Parses a line of `sequenceToText`. Throws for an unknown step. */
export function readSequence(text: string): readonly Step[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [name, seed] = word.split(':')
      const operation = operations.find((one) => one === name)
      if (!operation || !/^\d{1,10}$/.test(seed ?? '')) throw new TypeError(`${word} is not a step`)
      return { operation, seed: Number(seed) }
    })
}
