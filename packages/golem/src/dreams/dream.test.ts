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
  it('comes once a day, lasts its time, and is confirmed by the oracle at both ends', () => {
    let dream = awake(0)
    dream = turnDream(dream, daily, 85_199, false)
    expect(dream.type).toBe('awake')
    dream = turnDream(dream, daily, 85_200, false)
    expect(dream).toEqual({ type: 'fallingAsleep', number: 1, since: 85_200 })
    dream = confirmDream(dream, false, 85_201)
    expect(dream.type).toBe('fallingAsleep')
    dream = confirmDream(dream, true, 85_202)
    expect(dream.type).toBe('asleep')
    expect(turnDream(dream, daily, 86_399, false).type).toBe('asleep')
    dream = turnDream(dream, daily, 86_400, false)
    expect(dream.type).toBe('waking')
    expect(confirmDream(dream, true, 86_401).type).toBe('waking')
    dream = confirmDream(dream, false, 86_402)
    expect(dream).toEqual({ type: 'awake', number: 1, since: 86_402 })
  })

  it('never comes without a schedule, and ends when the schedule is removed', () => {
    expect(turnDream(awake(0), undefined, 1e9, false).type).toBe('awake')
    expect(turnDream({ type: 'asleep', number: 1, since: 0 }, undefined, 1, false).type).toBe('waking')
  })

  it('does not come to a dying Golem', () => {
    expect(turnDream(awake(0), daily, 1e9, true).type).toBe('awake')
    expect(turnDream({ type: 'asleep', number: 1, since: 0 }, daily, 1, true).type).toBe('waking')
  })

  it('blocks all writes while the oracle may show a dream, whatever happens in between', () => {
    const moves = fc.array(
      fc.record({
        seconds: fc.integer({ min: -10, max: 90_000 }),
        isDying: fc.boolean(),
        posts: fc.boolean(),
        confirmed: fc.boolean(),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(moves, (steps) => {
        let dream = awake(0)
        let oracle = false
        let now = 0
        for (const { seconds, isDying, posts, confirmed } of steps) {
          now += seconds
          dream = turnDream(dream, daily, now, isDying)
          // The posting may fail, or be mined without confirmation.
          if (posts) oracle = wantsDreaming(dream)
          if (confirmed) dream = confirmDream(dream, oracle, now)
          if (oracle) expect(mayWrite(dream)).toBe(false)
        }
      }),
    )
  })
})
