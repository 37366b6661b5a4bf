import { describe, expect, it } from 'vitest'
import { createBatcher } from './createBatcher.ts'

/** Doubles numbers in batches; the test releases each batch. */
function doubling(options: Partial<Parameters<typeof createBatcher<number, number>>[1]> = {}) {
  const batches: (readonly number[])[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const ask = createBatcher(
    async (numbers: readonly number[]) => {
      batches.push(numbers)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return numbers.map((number) => number * 2)
    },
    { most: 10, ...options },
  )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { ask, batches, gates, settle }
}

describe('createBatcher', () => {
  it('combines concurrent questions, and those that arrive while a batch is in flight', async () => {
    const { ask, batches, gates, settle } = doubling()
    const first = [1, 2].map(ask)
    await settle()
    const second = [3, 4, 5].map(ask)
    await settle()
    expect(batches).toEqual([[1, 2]])
    gates[0]?.resolve()
    expect(await Promise.all(first)).toEqual([2, 4])
    await settle()
    gates[1]?.resolve()
    expect(await Promise.all(second)).toEqual([6, 8, 10])
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
    // It becomes idle, and starts again.
    const third = ask(6)
    await settle()
    gates[2]?.resolve()
    expect(await third).toBe(12)
  })

  it('limits each batch to its size, and sends a larger question alone', async () => {
    const { ask, batches, gates, settle } = doubling({ most: 5, sizeOf: (number) => number })
    const answers = Promise.all([2, 3, 1, 9, 5].map(ask))
    for (let batch = 0; batch < 4; batch += 1) {
      await settle()
      gates[batch]?.resolve()
    }
    expect(await answers).toEqual([4, 6, 2, 18, 10])
    expect(batches).toEqual([[2, 3], [1], [9], [5]])
  })

  it('passes an error to every caller of the batch, and continues with the next batch', async () => {
    const { ask, gates, settle } = doubling()
    const failed = [ask(1), ask(2)]
    await settle()
    const next = ask(3)
    gates[0]?.reject(new Error('away'))
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await settle()
    gates[1]?.resolve()
    expect(await next).toBe(6)
  })

  it('refuses a batch with the wrong number of answers', async () => {
    const ask = createBatcher(async () => [1], { most: 2 })
    await expect(Promise.all([ask(1), ask(2)])).rejects.toThrow('The batch has 2 questions but 1 answers.')
  })
})
