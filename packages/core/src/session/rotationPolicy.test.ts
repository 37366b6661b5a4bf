import { describe, expect, it } from 'vitest'
import { type KeyUse, rotationReason } from './rotationPolicy.ts'

const day = 86_400n
const young: KeyUse = {
  grantedAt: 1_000n,
  operations: 0,
  budget: 100_000n,
  remaining: 100_000n,
  remainingAtGrant: 100_000n,
}

describe('rotationReason', () => {
  it.each([
    [{}, 1_000n, undefined],
    [{ operations: 9_999 }, 1_000n, undefined],
    [{ operations: 10_000 }, 1_000n, 'operations'],
    [{}, 1_000n + 7n * day - 1n, undefined],
    [{}, 1_000n + 7n * day, 'age'],
    [{ remaining: 10_000n }, 1_000n, undefined],
    [{ remaining: 9_999n }, 1_000n, 'budget-floor'],
    [{ remaining: 0n }, 1_000n, 'budget-floor'],
  ] as const)('%o at %d: %s', (change, now, reason) => {
    expect(rotationReason({ ...young, ...change }, now)).toBe(reason)
  })

  it('does not rotate again and again over a budget that a new key cannot raise', () => {
    expect(rotationReason({ ...young, remaining: 500n, remainingAtGrant: 900n }, 1_000n)).toBeUndefined()
  })

  it('does not treat a clock that runs backwards as age', () => {
    expect(rotationReason(young, 0n)).toBeUndefined()
  })
})
