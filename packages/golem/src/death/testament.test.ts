import { describe, expect, it } from 'vitest'
import { inherit, mostInherited, writeTestament } from './testament.ts'

const life = { golem: 'alpha', generation: 2, cause: 'naturalExpiry', ticks: 9 } as const

describe('a testament', () => {
  it('passes on knowledge with its first author, and neither wallet nor identity', () => {
    const secretive = { ...life, sessionKey: '0x12', identity: 7n, wallet: '0x34' }
    const testament = writeTestament(secretive, [
      { kind: 'insight', text: 'Buy low.', confidence: 0.5 },
      { kind: 'warning', text: 'Not on Sundays.', confidence: 0.9, authors: ['zero', 'one'] },
      { kind: 'metamask.permission.alpha', text: '{"context":"0x"}', confidence: 1 },
      { kind: 'sessionKey', text: '0x1234', confidence: 1 },
    ])
    expect(testament).toEqual({
      ...life,
      knowledge: [
        { kind: 'warning', text: 'Not on Sundays.', confidence: 0.9, authors: ['zero', 'one'] },
        { kind: 'insight', text: 'Buy low.', confidence: 0.5, authors: ['alpha'] },
      ],
    })
    expect(inherit(testament)).toEqual({ generation: 3, knowledge: testament.knowledge })
  })

  it('contains the strongest entries, and omits invalid ones', () => {
    const entry = (confidence: number, text = 'x') => ({ kind: 'insight', text, confidence })
    const many = Array.from({ length: 300 }, (_, index) => entry(index / 300))
    const { knowledge } = writeTestament(life, [
      ...many,
      entry(Number.NaN),
      entry(2),
      entry(1, 'x'.repeat(2_001)),
    ])
    expect(knowledge).toHaveLength(mostInherited)
    expect(Math.min(...knowledge.map(({ confidence }) => confidence))).toBeCloseTo(44 / 300)
  })
})
