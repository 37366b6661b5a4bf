import { describe, expect, it } from 'vitest'
import { askInOrder } from './askInOrder.ts'
import { StepMissing } from './createRemoteOwner.ts'

/** Parts that note when they are asked, after a read that takes the given number of turns. */
function partsWith(turns: readonly number[]) {
  const asked: number[] = []
  const parts = turns.map((count, at) => async () => {
    for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
    asked.push(at)
    throw new StepMissing()
  })
  return { asked, parts }
}

describe('askInOrder', () => {
  it('asks in the order of the parts, also if a later read answers first', async () => {
    const { asked, parts } = partsWith([9, 5, 0])
    await expect(askInOrder(parts)).rejects.toBeInstanceOf(StepMissing)
    expect(asked).toEqual([0, 1, 2])
  })

  it('returns the results in the order of the parts', async () => {
    expect(await askInOrder([async () => 'first', async () => 2])).toEqual(['first', 2])
  })

  it('does not begin what is after a wrong answer', async () => {
    const { asked, parts } = partsWith([0, 0])
    const wrong = () => Promise.reject(new RangeError('wrong'))
    await expect(askInOrder([...parts, wrong, ...parts])).rejects.toBeInstanceOf(RangeError)
    expect(asked).toEqual([0, 1])
  })
})
