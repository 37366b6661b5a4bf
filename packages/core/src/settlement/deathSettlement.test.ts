import { describe, expect, test } from 'vitest'
import { ownerMustAct, settleDeath } from './deathSettlement.ts'

const hash = `0x${'a'.repeat(64)}` as const
const settled = [{ id: 'p1', recoveredCents: 500n, transaction: hash }]
const deferred = [{ id: 'p2', reason: 'the pool is paused' }]
const delegation = { hash, cause: 'naturalExpiry' } as const
const wallet = { id: 'w', owner: '0xowner' }

describe('a death', () => {
  test.for(['delegation', 'localKey'] as const)('by %s leaves nothing to sweep', (mode) => {
    const settlement = settleDeath(mode, { settled, deferred, delegation })
    expect(settlement).toEqual({
      is: 'delegationExpiry',
      delegationHash: hash,
      cause: 'naturalExpiry',
      settled,
      open: deferred,
    })
    expect(ownerMustAct(settlement)).toBe(false)
  })

  test('of an embedded Golem sweeps to the owner, and to a treasury only where one was set', () => {
    const settlement = settleDeath('embedded', { settled, deferred, wallet })
    expect(settlement).toMatchObject({
      is: 'sweep',
      manifest: { sweepTo: '0xowner', recoveredCents: 500n, positions: ['p2'] },
    })
    expect(ownerMustAct(settlement)).toBe(true)
    expect(
      settleDeath('embedded', { settled, deferred, wallet: { ...wallet, cladeTreasury: '0xclade' } }),
    ).toMatchObject({
      manifest: { sweepTo: '0xclade' },
    })
  })

  test('by exhaustion holds the settlement of its custody', () => {
    const exhaustion = {
      finalSustainabilityRatio: 0.2,
      lifetimeRevenueCents: 5n,
      lifetimeInferenceCents: 50n,
    }
    const settlement = settleDeath('embedded', { settled, deferred, wallet, exhaustion })
    expect(settlement).toMatchObject({ is: 'economicExhaustion', ...exhaustion, inner: { is: 'sweep' } })
    expect(ownerMustAct(settlement)).toBe(true)
  })

  test('without what its mode needs is refused', () => {
    expect(() => settleDeath('delegation', { settled, deferred, wallet })).toThrow(
      /the delegation that ended/,
    )
    expect(() => settleDeath('embedded', { settled, deferred, delegation })).toThrow(/the wallet to sweep/)
  })
})
