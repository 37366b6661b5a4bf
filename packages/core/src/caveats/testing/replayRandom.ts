import fc, { type GeneratorValue } from 'fast-check'
import { createRandom } from '../metamask/testing/random.ts'
import { Dice } from './cases.ts'

/**
 * A recorded random tape: a seed, and the number of draws before all further ones are zero. A failure shrinks
 * to the shortest tape that still fails; thousands of draws of `fc.gen` would take longer than the case
 * itself.
 */
export const tape = fc.record({
  seed: fc.noShrink(fc.nat()),
  throws: fc.noBias(fc.integer({ min: 0, max: 20_000 })),
})

/** Dice that read a tape. */
export function replayRandom({ seed, throws }: { readonly seed: number; readonly throws: number }): Dice {
  const random = createRandom(seed)
  let thrown = 0
  const below = (limit: number) => {
    thrown += 1
    return thrown > throws ? 0 : random.below(limit)
  }
  // The two ways in which dice call fast-check.
  const generator = (arbitrary: unknown, ...args: readonly unknown[]): unknown => {
    if (arbitrary === fc.constantFrom) return args[below(args.length)]
    const [range] = args as readonly { readonly min: number; readonly max: number }[]
    return range ? range.min + below(range.max - range.min + 1) : 0
  }
  return new Dice(generator as GeneratorValue)
}
