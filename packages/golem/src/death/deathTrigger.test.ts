import { describe, expect, it } from 'vitest'
import { type DeathFacts, deathTrigger, deathTriggers } from './deathTrigger.ts'

const day = 86_400n
const now = 1_800_000_000n
const alive: DeathFacts = {
  now,
  killed: false,
  revoked: false,
  windowEnd: now,
  calls: { used: 9n, limit: 10n },
  survivalScore: 1_000,
  chainRefusals: [now - day, now - day + 1n, now],
  constitutionChanged: false,
  missedTicks: 2,
}

describe('death', () => {
  it('does not come a moment too early', () => {
    expect(deathTrigger(alive)).toBeUndefined()
    expect(deathTrigger({ ...alive, calls: { used: 5n, limit: 0n } })).toBeUndefined()
    expect(deathTrigger({ ...alive, calls: undefined })).toBeUndefined()
  })

  it.each<[string, Partial<DeathFacts>, string]>([
    ['the kill switch', { killed: true }, 'killSwitch'],
    ['the owner’s revocation', { revoked: true }, 'ownerRevocation'],
    ['the last second', { windowEnd: now - 1n }, 'naturalExpiry'],
    ['the last call', { calls: { used: 10n, limit: 10n } }, 'callLimitReached'],
    ['an empty purse', { survivalScore: 999 }, 'economicExhaustion'],
    ['a score that is none', { survivalScore: Number.NaN }, 'economicExhaustion'],
    [
      'three refusals of the chain in a day',
      { chainRefusals: [now - day + 1n, now, now] },
      'policyViolation',
    ],
    ['another constitution', { constitutionChanged: true }, 'policyViolation'],
    ['three missed ticks', { missedTicks: 3 }, 'heartbeatAnomaly'],
  ])('comes by %s', (_, change, trigger) => {
    expect(deathTrigger({ ...alive, ...change })).toBe(trigger)
  })

  it('names what the owner did first', () => {
    const all = { ...alive, killed: true, revoked: true, windowEnd: 0n, survivalScore: 0, missedTicks: 9 }
    expect(deathTrigger(all)).toBe('killSwitch')
    expect(deathTrigger({ ...all, killed: false })).toBe('ownerRevocation')
    expect(deathTriggers).toHaveLength(7)
  })
})
