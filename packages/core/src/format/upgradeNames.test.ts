import { describe, expect, it } from 'vitest'
import { upgradeNames } from './upgradeNames.ts'

describe('upgradeNames', () => {
  it('renames the keys of version 0.1 at every depth', () => {
    expect(
      upgradeNames({ recovery: { is: 'acting' }, pending: [{ permitId: 'x', intention: { is: 'swap' } }] }),
    ).toEqual({
      recovery: { type: 'acting' },
      pending: [{ capabilityId: 'x', intention: { type: 'swap' } }],
    })
  })

  it('returns a current value unchanged', () => {
    const value = { type: 'fund', is: 'kept', amount: 5n, at: [1, null, 'is'] }
    expect(upgradeNames(value)).toEqual(value)
  })

  it('does not change values that are not plain objects', () => {
    const date = new Date(0)
    expect(upgradeNames({ date, __proto__: null })).toEqual({ date })
    expect(upgradeNames('is')).toBe('is')
  })
})
