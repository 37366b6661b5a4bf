import { describe, expect, it } from 'vitest'
import { percent, score } from './score.ts'

function outcome(guardKey: string, change: string, killedBy?: string) {
  const key = `${guardKey} → ${change}`
  return { mutant: { id: 1, file: 'f', line: 1, where: 'w', guard: 'g', change, key, guardKey }, killedBy }
}

describe('score', () => {
  it('covers a guard when every mutant of it is killed', () => {
    const result = score(
      [outcome('a', '1', 't'), outcome('a', '2', 't'), outcome('b', '1', 't'), outcome('b', '2')],
      [],
    )
    expect(result).toMatchObject({ guards: 2, covered: 1, mutants: 4, killed: 3, equivalent: 0 })
    expect(result.survivors).toHaveLength(1)
    expect(percent(result)).toBe(50)
  })

  it('does not count a survivor that is listed as equivalent', () => {
    const outcomes = [outcome('a', '1', 't'), outcome('a', '2'), outcome('b', '1')]
    const equivalents = [
      { mutant: 'a → 2', reason: 'r' },
      { mutant: 'b → 1', reason: 'r' },
    ]
    expect(score(outcomes, equivalents)).toMatchObject({
      guards: 1,
      covered: 1,
      equivalent: 2,
      survivors: [],
    })
  })

  it('reports an entry that a test kills or that does not exist', () => {
    const equivalents = [
      { mutant: 'a → 1', reason: 'r' },
      { mutant: 'gone', reason: 'r' },
    ]
    expect(score([outcome('a', '1', 't')], equivalents).mislisted).toEqual(['a → 1', 'gone'])
  })
})
