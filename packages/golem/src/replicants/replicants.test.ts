import {
  type Delegation,
  dailySpendLimit,
  golemPhase,
  hashDelegation,
  type Mandate,
  registryOf,
  replicantBudget,
  rootAuthority,
  stockKinds,
} from '@bardo/core'
import fc from 'fast-check'
import { type Address, numberToHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { addReplicant, endReplicant, type Family, ownDailyCents } from './family.ts'
import { type ReplicantGrant, replicantDelegation } from './replicantDelegation.ts'

const now = 1_800_000_000n
const alone: Family = { dailyCapCents: 1_000n, windowEnd: now + 1_000n, replicants: [] }
const child = { id: 'a-1', delegationHash: '0x01', dailyCents: 200n, expiresAt: now + 500n } as const
const refused = expect.objectContaining({ code: 'ACTION_NOT_ALLOWED' })

describe('a family', () => {
  it('splits the runway: 10 a day less 2 a day are 8', () => {
    const family = addReplicant(alone, child, 'thriving', now)
    expect(ownDailyCents(family, now)).toBe(800n)
  })

  it('ends one child alone; the parent never has less for it, and more only when it is certain', () => {
    const two = addReplicant(
      addReplicant(alone, child, 'thriving', now),
      { ...child, id: 'a-2' },
      'thriving',
      now,
    )
    const ending = endReplicant(two, 'a-1', 'ending')
    expect(ownDailyCents(ending, now)).toBe(600n)
    const ended = endReplicant(ending, 'a-1', 'ended')
    expect(ownDailyCents(ended, now)).toBe(800n)
    expect(ended.replicants[1]).toEqual(two.replicants[1])
    expect(ended).toMatchObject({ dailyCapCents: 1_000n, windowEnd: alone.windowEnd })
    expect(endReplicant(ended, 'a-1', 'ending')).toEqual(ended)
    expect(endReplicant(ended, 'nobody', 'ended')).toEqual(ended)
    expect(ownDailyCents(two, now + 501n)).toBe(1_000n)
  })

  it('has children only while it thrives, from what is left, and within its time', () => {
    for (const phase of ['stable', 'conservation', 'declining', 'terminal'] as const)
      expect(() => addReplicant(alone, child, phase, now)).toThrow(refused)
    for (const dailyCents of [0n, -1n, 1_000n, 5_000n])
      expect(() => addReplicant(alone, { ...child, dailyCents }, 'thriving', now)).toThrow(refused)
    for (const expiresAt of [now, now + 1_001n])
      expect(() => addReplicant(alone, { ...child, expiresAt }, 'thriving', now)).toThrow(refused)
    const one = addReplicant(alone, child, 'thriving', now)
    expect(() => addReplicant(one, child, 'thriving', now)).toThrow(refused)
  })

  it('never gives away more than it has', () => {
    const move = fc.record({ dailyCents: fc.bigInt({ min: -10n, max: 600n }), ends: fc.option(fc.nat(5)) })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        let family = alone
        moves.forEach(({ dailyCents, ends }, place) => {
          try {
            family = addReplicant(family, { ...child, id: `${place}`, dailyCents }, 'thriving', now)
          } catch {
            // Refused: the family is as it was.
          }
          if (ends !== null) family = endReplicant(family, `${ends}`, 'ended')
          const drawn = family.replicants
            .filter(({ status }) => status !== 'ended')
            .reduce((sum, one) => sum + one.dailyCents, 0n)
          expect(ownDailyCents(family, now) + drawn).toBe(1_000n)
          expect(ownDailyCents(family, now)).toBeGreaterThan(0n)
        })
      }),
    )
  })
})

describe('a child’s delegation', () => {
  const at = (place: number): Address => numberToHex(0xc0de00 + place, { size: 20 })
  const [owner, golem, baby, usdc, router, vault] = [at(0), at(1), at(2), at(3), at(4), at(5)]
  const enforcers = {
    replicantBudget: at(10),
    limitedCalls: at(11),
    redeemer: at(12),
    dailySpendLimit: at(13),
    golemPhase: at(14),
  }
  const registry = registryOf([
    [enforcers.replicantBudget, replicantBudget],
    [enforcers.limitedCalls, stockKinds.LimitedCalls],
    [enforcers.redeemer, stockKinds.Redeemer],
    [enforcers.dailySpendLimit, dailySpendLimit],
    [enforcers.golemPhase, golemPhase],
  ])
  const target = (kind: number, address: Address) => ({ kind, address, selector: '0x00000000' }) as const
  const mandate: Mandate = {
    account: owner,
    assets: [{ token: usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
    targets: [target(1, router)],
    payees: [],
  }
  const lineage = numberToHex(7, { size: 32 })
  const life = { lineage, allowedCents: 5_000n, born: 1_000, lifespanSeconds: 86_400, mandate }
  const root: Delegation = {
    delegate: golem,
    delegator: owner,
    authority: rootAuthority,
    caveats: [
      { enforcer: enforcers.limitedCalls, terms: stockKinds.LimitedCalls.encode({ limit: 500 }), args: '0x' },
      { enforcer: enforcers.replicantBudget, terms: replicantBudget.encode(life), args: '0x' },
    ],
    salt: 1n,
    signature: '0x',
  }
  const share = { dailyCents: 2_000n, graceSeconds: 86_400, settlement: 0 }
  const grant: ReplicantGrant = { ...life, ...share, delegate: baby, calls: 100, salt: 2n }
  const spawn = (change: Partial<ReplicantGrant> = {}) =>
    replicantDelegation(root, [root], { ...grant, ...change }, enforcers, registry)

  it('hangs below its parent’s, with a budget, a lifespan, a number of calls, and nobody below', () => {
    const made = spawn({ allowedCents: 4_000n })
    expect(made).toMatchObject({ delegator: golem, delegate: baby, authority: hashDelegation(root) })
    const [budget, daily, phase, calls, redeemer] = made.caveats
    expect(daily && dailySpendLimit.decode(daily.terms)).toMatchObject({ lineage, limitCents: 2_000n })
    expect(phase && golemPhase.decode(phase.terms)).toMatchObject({ golem: lineage, graceSeconds: 86_400 })
    expect(budget && replicantBudget.decode(budget.terms)).toMatchObject({
      allowedCents: 4_000n,
      lifespanSeconds: 86_400,
    })
    expect(calls && stockKinds.LimitedCalls.decode(calls.terms)).toEqual({ limit: 100 })
    expect(redeemer && stockKinds.Redeemer.decode(redeemer.terms)).toMatchObject({ redeemers: [baby] })
  })

  it.each<[string, Partial<ReplicantGrant>]>([
    ['more money', { allowedCents: 5_001n }],
    ['a longer life', { lifespanSeconds: 86_401 }],
    ['an earlier birth', { born: 999 }],
    ['more calls', { calls: 501 }],
    ['another contract', { mandate: { ...mandate, targets: [target(6, vault)] } }],
    ['a payee', { mandate: { ...mandate, payees: [baby] } }],
    ['another account', { mandate: { ...mandate, account: baby } }],
    ['another lineage', { lineage: numberToHex(8, { size: 32 }) }],
  ])('is refused with %s than its parent has', (_, change) => {
    expect(() => spawn(change)).toThrow(expect.objectContaining({ code: 'DELEGATION_WIDER' }))
  })
})
