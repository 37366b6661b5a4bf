import { describe, expect, it } from 'vitest'
import { type DeathEvidence, deathTriggers, decideDeath, revocationOf } from './decideDeath.ts'

const day = 86_400n
const now = 1_800_000_000n
const disabled = { seen: true, final: true, hasSuccessor: false, isReplacing: false }
const silent = { graceSeconds: 100, unclaimedSeconds: 100, unpublishedSeconds: 101 }

/** A living Golem, one step from every cause. */
const alive: DeathEvidence = {
  now,
  killed: false,
  revocation: { ...disabled, final: false },
  isOrphan: false,
  windowEnd: now,
  calls: { used: 9n, limit: 10n },
  survivalScore: 1_000,
  chainRefusals: [now - day, now - day + 1n, now],
  constitutionChanged: false,
  silence: { ...silent, unclaimedSeconds: 99 },
}

describe('decideDeath', () => {
  it.each<[string, Partial<DeathEvidence>]>([
    ['no cause holds', {}],
    ['no link is disabled', { revocation: { ...disabled, seen: false } }],
    ['a disabled link is not final yet', { revocation: { ...disabled, final: false } }],
    ['a successor of the disabled root is stored', { revocation: { ...disabled, hasSuccessor: true } }],
    ['the owner is replacing the disabled root', { revocation: { ...disabled, isReplacing: true } }],
    ['the call limit is zero', { calls: { used: 5n, limit: 0n } }],
    ['there is no call limit', { calls: undefined }],
    ['its row was published within the grace period', { silence: { ...silent, unpublishedSeconds: 100 } }],
    ['no grace period is signed', { silence: { ...silent, graceSeconds: 0 } }],
  ])('lets a Golem live if %s', (_, change) => {
    expect(decideDeath({ ...alive, ...change })).toEqual([])
  })

  it('does not treat missing evidence as a cause', () => {
    expect(decideDeath({ now })).toEqual([])
  })

  const causes: readonly (readonly [string, Partial<DeathEvidence>, string])[] = [
    ['the kill switch', { killed: true }, 'killSwitch'],
    ['a final revocation without a successor', { revocation: disabled }, 'ownerRevocation'],
    ['the death of its parent', { isOrphan: true }, 'ownerRevocation'],
    [
      'three refusals of the chain in a day',
      { chainRefusals: [now - day + 1n, now, now] },
      'policyViolation',
    ],
    ['a constitution that differs from the signed one', { constitutionChanged: true }, 'policyViolation'],
    ['the end of its window', { windowEnd: now - 1n }, 'naturalExpiry'],
    ['its last signed call', { calls: { used: 10n, limit: 10n } }, 'callLimitReached'],
    ['a survival score that is too low', { survivalScore: 999 }, 'economicExhaustion'],
    ['a score that is not a number', { survivalScore: Number.NaN }, 'economicExhaustion'],
    ['silence for the whole grace period', { silence: silent }, 'heartbeatAnomaly'],
  ]

  it.each(causes)('ends a life because of %s', (_, change, trigger) => {
    expect(decideDeath({ ...alive, ...change })).toEqual([trigger])
  })

  it('lists all causes that hold, actions of the owner first', () => {
    const all = Object.assign({ ...alive }, ...causes.map(([, change]) => change))
    expect(decideDeath(all)).toEqual(deathTriggers)
    expect(new Set(causes.map(([, , trigger]) => trigger))).toEqual(new Set(deathTriggers))
  })
})

it('distinguishes a revocation from a replacement and from one that is not final', () => {
  expect(revocationOf(disabled)).toBe('revoked')
  expect(revocationOf({ ...disabled, seen: false })).toBe('none')
  expect(revocationOf({ ...disabled, final: false })).toBe('unconfirmed')
  expect(revocationOf({ ...disabled, hasSuccessor: true, final: false })).toBe('replaced')
  expect(revocationOf({ ...disabled, isReplacing: true })).toBe('replaced')
})
