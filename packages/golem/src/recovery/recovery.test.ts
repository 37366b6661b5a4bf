import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observe, outageOf, type Recovery } from './recovery.ts'

const acting: Recovery = { is: 'acting' }

describe('observing', () => {
  it('waits twice as long each time, up to half an hour, and keeps when it began', () => {
    let recovery: Recovery = acting
    const waits: number[] = []
    let now = 1_000
    for (let turn = 0; turn < 12; turn += 1) {
      const { since, retryAt } = observe(recovery, 'rpcOutage', now, 1)
      expect(since).toBe(1_000)
      waits.push(retryAt - now)
      recovery = observe(recovery, 'rpcOutage', now, 1)
      now = retryAt
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800, 1_800])
  })

  it('starts its waits anew for another reason, and not its beginning', () => {
    const third = observe(observe(observe(acting, 'rpcOutage', 0, 1), 'rpcOutage', 5, 1), 'rpcOutage', 15, 1)
    expect(observe(third, 'managerPaused', 40, 1)).toEqual({
      is: 'observing',
      reason: 'managerPaused',
      since: 0,
      attempts: 1,
      retryAt: 45,
    })
  })

  it('spreads retries over the second half of the wait, however long it lasts', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const before: Recovery = { is: 'observing', reason: 'signerOutage', since: 0, attempts, retryAt: 0 }
        const after = observe(before, 'signerOutage', 100, random)
        const wait = after.retryAt - 100
        expect(wait).toBeGreaterThanOrEqual(2.5)
        expect(wait).toBeLessThanOrEqual(1_800)
      }),
    )
  })

  it('knows an outage from a refusal', () => {
    expect(outageOf(new BardoError('', { code: 'RPC_UNAVAILABLE' }))).toBe('rpcOutage')
    expect(outageOf(new BardoError('', { code: 'RPC_MALFORMED' }))).toBe('rpcOutage')
    expect(outageOf(new BardoError('', { code: 'MANAGER_PAUSED' }))).toBe('managerPaused')
    expect(outageOf(new BardoError('', { code: 'INSUFFICIENT_FUNDS' }))).toBe('gasGone')
    expect(outageOf(new BardoError('', { code: 'SESSION_KEY_ZEROED' }))).toBe('keyLost')
    expect(outageOf(new BardoError('', { code: 'SPEND_LIMIT_EXCEEDED' }))).toBeUndefined()
    expect(outageOf(new Error('RPC_UNAVAILABLE'))).toBeUndefined()
  })
})
