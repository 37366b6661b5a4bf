import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { awake, confirmDream, type Dream, requireAwake, turnDream, wantsDreaming } from './dream.ts'

const daily = { everySeconds: 86_400, lengthSeconds: 1_200 }
const mayWrite = (dream: Dream) => {
  try {
    requireAwake(dream)
    return true
  } catch {
    return false
  }
}

describe('a dream', () => {
  it('comes once a day, lasts its time, and is shown before and after', () => {
    let dream = awake(0)
    dream = turnDream(dream, daily, 85_199, false)
    expect(dream.is).toBe('awake')
    dream = turnDream(dream, daily, 85_200, false)
    expect(dream).toEqual({ is: 'fallingAsleep', number: 1, since: 85_200 })
    dream = confirmDream(dream, false, 85_201)
    expect(dream.is).toBe('fallingAsleep')
    dream = confirmDream(dream, true, 85_202)
    expect(dream.is).toBe('asleep')
    expect(turnDream(dream, daily, 86_399, false).is).toBe('asleep')
    dream = turnDream(dream, daily, 86_400, false)
    expect(dream.is).toBe('waking')
    expect(confirmDream(dream, true, 86_401).is).toBe('waking')
    dream = confirmDream(dream, false, 86_402)
    expect(dream).toEqual({ is: 'awake', number: 1, since: 86_402 })
  })

  it('never comes without a schedule, and ends when the schedule is taken away', () => {
    expect(turnDream(awake(0), undefined, 1e9, false).is).toBe('awake')
    expect(turnDream({ is: 'asleep', number: 1, since: 0 }, undefined, 1, false).is).toBe('waking')
  })

  it('is not for the dying', () => {
    expect(turnDream(awake(0), daily, 1e9, true).is).toBe('awake')
    expect(turnDream({ is: 'asleep', number: 1, since: 0 }, daily, 1, true).is).toBe('waking')
  })

  it('lets nothing be written while the oracle may say that it dreams, whatever happens in between', () => {
    const moves = fc.array(
      fc.record({
        seconds: fc.integer({ min: -10, max: 90_000 }),
        isDying: fc.boolean(),
        posts: fc.boolean(),
        heard: fc.boolean(),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(moves, (steps) => {
        let dream = awake(0)
        let oracle = false
        let now = 0
        for (const { seconds, isDying, posts, heard } of steps) {
          now += seconds
          dream = turnDream(dream, daily, now, isDying)
          // The posting may fail, or land without anybody hearing of it.
          if (posts) oracle = wantsDreaming(dream)
          if (heard) dream = confirmDream(dream, oracle, now)
          if (oracle) expect(mayWrite(dream)).toBe(false)
        }
      }),
    )
  })
})
