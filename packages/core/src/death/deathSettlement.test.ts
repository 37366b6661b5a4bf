import { describe, expect, test } from 'vitest'
import { ownerMustAct, settleDeath } from './deathSettlement.ts'

const hash = `0x${'a'.repeat(64)}` as const
const settled = [{ id: 'p1', recoveredCents: 500n, transaction: hash }]
const deferred = [{ id: 'p2', reason: 'the pool is paused' }]
const delegation = { hash, cause: 'naturalExpiry' } as const
const wallet = { id: 'w', owner: '0xowner' }

describe('settleDeath', () => {
  test.for(['delegation', 'localKey'] as const)('leaves nothing to sweep with %s custody', (mode) => {
    const settlement = settleDeath(mode, { settled, deferred, delegation })
    expect(settlement).toEqual({
      type: 'delegationExpiry',
      delegationHash: hash,
      cause: 'naturalExpiry',
      settled,
      open: deferred,
    })
    expect(ownerMustAct(settlement)).toBe(false)
  })

  test('sweeps an embedded Golem to the owner, and to a treasury only if one is set', () => {
    const settlement = settleDeath('embedded', { settled, deferred, wallet })
    expect(settlement).toMatchObject({
      type: 'sweep',
      manifest: { sweepTo: '0xowner', recoveredCents: 500n, positions: ['p2'] },
    })
    expect(ownerMustAct(settlement)).toBe(true)
    expect(
      settleDeath('embedded', { settled, deferred, wallet: { ...wallet, cladeTreasury: '0xclade' } }),
    ).toMatchObject({
      manifest: { sweepTo: '0xclade' },
    })
  })

  test('wraps the settlement of its custody for a death by exhaustion', () => {
    const exhaustion = {
      finalSustainabilityRatio: 0.2,
      lifetimeRevenueCents: 5n,
      lifetimeInferenceCents: 50n,
    }
    const settlement = settleDeath('embedded', { settled, deferred, wallet, exhaustion })
    expect(settlement).toMatchObject({ type: 'economicExhaustion', ...exhaustion, inner: { type: 'sweep' } })
    expect(ownerMustAct(settlement)).toBe(true)
  })

  test('refuses a settlement without the facts of its custody mode', () => {
    expect(() => settleDeath('delegation', { settled, deferred, wallet })).toThrow(/the ended delegation/)
    expect(() => settleDeath('embedded', { settled, deferred, delegation })).toThrow(/the wallet to sweep/)
  })
})
