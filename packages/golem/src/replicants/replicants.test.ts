import {
  type Delegation,
  dailySpendLimit,
  golemPhase,
  hashDelegation,
  type Mandate,
  metamaskKinds,
  registryOf,
  replicantBudget,
  rootAuthority,
} from '@bardo/core'
import fc from 'fast-check'
import { type Address, numberToHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { addReplicant, endReplicant, type Family, ownDailyCents } from '../state/family.ts'
import { type ReplicantGrant, replicantDelegation } from './replicantDelegation.ts'

const now = 1_800_000_000n
const noChildren: Family = { dailyCapCents: 1_000n, windowEnd: now + 1_000n, replicants: [] }
const child = { id: 'a-1', delegationHash: '0x01', dailyCents: 200n, expiresAt: now + 500n } as const
const refused = expect.objectContaining({ code: 'ACTION_NOT_ALLOWED' })

describe('a family', () => {
  it('splits the daily amount: 10 minus 2 leaves 8', () => {
    const family = addReplicant(noChildren, child, 'thriving', now)
    expect(ownDailyCents(family, now)).toBe(800n)
  })

  it('ends only one child; the parent’s amount grows only once the end is certain', () => {
    const two = addReplicant(
      addReplicant(noChildren, child, 'thriving', now),
      { ...child, id: 'a-2' },
      'thriving',
      now,
    )
    const ending = endReplicant(two, 'a-1', 'ending')
    expect(ownDailyCents(ending, now)).toBe(600n)
    const ended = endReplicant(ending, 'a-1', 'ended')
    expect(ownDailyCents(ended, now)).toBe(800n)
    expect(ended.replicants[1]).toEqual(two.replicants[1])
    expect(ended).toMatchObject({ dailyCapCents: 1_000n, windowEnd: noChildren.windowEnd })
    expect(endReplicant(ended, 'a-1', 'ending')).toEqual(ended)
    expect(endReplicant(ended, 'unknown', 'ended')).toEqual(ended)
    expect(ownDailyCents(two, now + 501n)).toBe(1_000n)
  })

  it('adds children only while thriving, from the rest, and within its window', () => {
    for (const phase of ['stable', 'conservation', 'declining', 'terminal'] as const)
      expect(() => addReplicant(noChildren, child, phase, now)).toThrow(refused)
    for (const dailyCents of [0n, -1n, 1_000n, 5_000n])
      expect(() => addReplicant(noChildren, { ...child, dailyCents }, 'thriving', now)).toThrow(refused)
    for (const expiresAt of [now, now + 1_001n])
      expect(() => addReplicant(noChildren, { ...child, expiresAt }, 'thriving', now)).toThrow(refused)
    const one = addReplicant(noChildren, child, 'thriving', now)
    expect(() => addReplicant(one, child, 'thriving', now)).toThrow(refused)
  })

  it('never gives more than it has', () => {
    const move = fc.record({ dailyCents: fc.bigInt({ min: -10n, max: 600n }), ends: fc.option(fc.nat(5)) })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        let family = noChildren
        moves.forEach(({ dailyCents, ends }, index) => {
          try {
            family = addReplicant(family, { ...child, id: `${index}`, dailyCents }, 'thriving', now)
          } catch {
            // Refused: the family is unchanged.
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

describe('a Replicant’s delegation', () => {
  const at = (position: number): Address => numberToHex(0xc0de00 + position, { size: 20 })
  const [owner, golem, childKey, usdc, router, vault] = [at(0), at(1), at(2), at(3), at(4), at(5)]
  const enforcers = {
    replicantBudget: at(10),
    limitedCalls: at(11),
    redeemer: at(12),
    dailySpendLimit: at(13),
    golemPhase: at(14),
  }
  const registry = registryOf([
    [enforcers.replicantBudget, replicantBudget],
    [enforcers.limitedCalls, metamaskKinds.LimitedCalls],
    [enforcers.redeemer, metamaskKinds.Redeemer],
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
      {
        enforcer: enforcers.limitedCalls,
        terms: metamaskKinds.LimitedCalls.encode({ limit: 500 }),
        args: '0x',
      },
      { enforcer: enforcers.replicantBudget, terms: replicantBudget.encode(life), args: '0x' },
    ],
    salt: 1n,
    signature: '0x',
  }
  const share = { dailyCents: 2_000n, graceSeconds: 86_400, settlement: 0 }
  const grant: ReplicantGrant = { ...life, ...share, delegate: childKey, calls: 100, salt: 2n }
  const spawn = (change: Partial<ReplicantGrant> = {}) =>
    replicantDelegation(root, [root], { ...grant, ...change }, enforcers, registry)

  it('is below its parent’s, with a budget, a lifespan, a number of calls, and no redelegation', () => {
    const spawned = spawn({ allowedCents: 4_000n })
    expect(spawned).toMatchObject({ delegator: golem, delegate: childKey, authority: hashDelegation(root) })
    const [budget, daily, phase, calls, redeemer] = spawned.caveats
    expect(daily && dailySpendLimit.decode(daily.terms)).toMatchObject({ lineage, limitCents: 2_000n })
    expect(phase && golemPhase.decode(phase.terms)).toMatchObject({ golem: lineage, graceSeconds: 86_400 })
    expect(budget && replicantBudget.decode(budget.terms)).toMatchObject({
      allowedCents: 4_000n,
      lifespanSeconds: 86_400,
    })
    expect(calls && metamaskKinds.LimitedCalls.decode(calls.terms)).toEqual({ limit: 100 })
    expect(redeemer && metamaskKinds.Redeemer.decode(redeemer.terms)).toMatchObject({ redeemers: [childKey] })
  })

  it.each<[string, Partial<ReplicantGrant>]>([
    ['more money', { allowedCents: 5_001n }],
    ['a longer life', { lifespanSeconds: 86_401 }],
    ['an earlier birth', { born: 999 }],
    ['more calls', { calls: 501 }],
    ['another contract', { mandate: { ...mandate, targets: [target(6, vault)] } }],
    ['a payee', { mandate: { ...mandate, payees: [childKey] } }],
    ['another account', { mandate: { ...mandate, account: childKey } }],
    ['another lineage', { lineage: numberToHex(8, { size: 32 }) }],
  ])('is refused with %s, unlike its parent', (_, change) => {
    expect(() => spawn(change)).toThrow(expect.objectContaining({ code: 'DELEGATION_WIDER' }))
  })
})
