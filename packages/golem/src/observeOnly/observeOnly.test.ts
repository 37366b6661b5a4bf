import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observe, outageOf, type Recovery } from './observeOnly.ts'

const acting: Recovery = { type: 'acting' }

describe('observing', () => {
  it('doubles the wait each time, up to half an hour, and keeps its start', () => {
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

  it('restarts the waits for another reason, and keeps its start', () => {
    const third = observe(observe(observe(acting, 'rpcOutage', 0, 1), 'rpcOutage', 5, 1), 'rpcOutage', 15, 1)
    expect(observe(third, 'managerPaused', 40, 1)).toEqual({
      type: 'observing',
      reason: 'managerPaused',
      since: 0,
      attempts: 1,
      retryAt: 45,
    })
  })

  it('spreads retries over the second half of the wait, for any number of attempts', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const before: Recovery = { type: 'observing', reason: 'signerOutage', since: 0, attempts, retryAt: 0 }
        const after = observe(before, 'signerOutage', 100, random)
        const wait = after.retryAt - 100
        expect(wait).toBeGreaterThanOrEqual(2.5)
        expect(wait).toBeLessThanOrEqual(1_800)
      }),
    )
  })

  it('distinguishes an outage from a refusal', () => {
    expect(outageOf(new BardoError('', { code: 'RPC_UNAVAILABLE' }))).toBe('rpcOutage')
    expect(outageOf(new BardoError('', { code: 'RPC_MALFORMED' }))).toBe('rpcOutage')
    expect(outageOf(new BardoError('', { code: 'MANAGER_PAUSED' }))).toBe('managerPaused')
    expect(outageOf(new BardoError('', { code: 'INSUFFICIENT_FUNDS' }))).toBe('gasGone')
    expect(outageOf(new BardoError('', { code: 'SESSION_KEY_ZEROED' }))).toBe('keyLost')
    expect(outageOf(new BardoError('', { code: 'SPEND_LIMIT_EXCEEDED' }))).toBeUndefined()
    expect(outageOf(new Error('RPC_UNAVAILABLE'))).toBeUndefined()
  })
})
