import { encodeErrorResult, type Hex, numberToHex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import type { Answer, ChainState } from '../caveats/caveatKind.ts'
import { erc20BalanceChange } from '../caveats/metamask/erc20BalanceChange.ts'
import { limitedCalls } from '../caveats/metamask/limitedCalls.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import type { Delegation } from './delegation.ts'
import { delegationReads, evaluateDelegations } from './evaluateDelegations.ts'
import { hashDelegation } from './hashDelegation.ts'
import { addressOf, delegate } from './testing/delegations.ts'

const [calls, time, change, stranger] = [addressOf(102), addressOf(103), addressOf(104), addressOf(105)]
const registry = registryOf([
  [calls, limitedCalls],
  [time, timestamp],
  [change, erc20BalanceChange],
])
const limit = (many: number) => [calls, limitedCalls.encode({ limit: many })] as const
const until = (second: number) =>
  [time, timestamp.encode({ afterThreshold: 0, beforeThreshold: second })] as const
const loses = [
  change,
  erc20BalanceChange.encode({ token: addressOf(7), account: addressOf(0), change: 'decrease', amount: 5n }),
] as const
const question = {
  chainId: 31337,
  manager: addressOf(50),
  redeemer: addressOf(2),
  execution: { mode: numberToHex(0, { size: 32 }), calldata: '0x' },
} as const

/** A chain on which every read has the same answer, or the given one. */
function chain(word: bigint, special: Readonly<Record<Hex, bigint>> = {}, now = 100n): ChainState {
  return {
    timestamp: now,
    blockNumber: 1n,
    answer: ({ to, data }): Answer => ({
      ok: true,
      data: numberToHex(special[to] ?? (data.length > 74 ? word : 0n), { size: 32 }),
    }),
  }
}

function pair(leafCaveats: Parameters<typeof delegate>[2], rootCaveats: Parameters<typeof delegate>[2]) {
  const root = delegate(0, 1, rootCaveats)
  return [delegate(1, 2, leafCaveats, hashDelegation(root)), root] as const
}

describe('the verdict of a chain', () => {
  it('passes if the manager and every caveat pass', () => {
    const links = pair([limit(1)], [until(101), limit(2)])
    const verdict = evaluateDelegations(links, registry, { ...question, before: chain(0n) })
    expect(verdict).toMatchObject({ type: 'pass', manager: { type: 'pass' }, first: undefined })
    expect(verdict.caveats.map(({ link, caveat, name }) => [link, caveat, name])).toEqual([
      [0, 0, 'LimitedCalls'],
      [1, 0, 'Timestamp'],
      [1, 1, 'LimitedCalls'],
    ])
  })

  it('names the first refusal: link, caveat, bytes, and what would make it pass', () => {
    const links = pair([limit(9)], [until(100), limit(3)])
    const { type, first } = evaluateDelegations(links, registry, { ...question, before: chain(3n) })
    expect(type).toBe('refuse')
    expect(first).toMatchObject({ link: 1, caveat: 0, name: 'Timestamp', hook: 'beforeHook', certain: true })
    expect(first?.remedy).toContain('1970-01-01 00:01:40 UTC')
    expect(first?.refusal.data).toBe(
      encodeErrorResult({
        abi: parseAbi(['error Error(string)']),
        args: ['TimestampEnforcer:expired-delegation'],
      }),
    )
  })

  it('reports checks after the execution as unknown, in order from root to leaf', () => {
    const links = pair([loses], [loses])
    const balance = (amount: bigint) => chain(0n, { [addressOf(7)]: amount })
    const before = balance(20n)
    expect(evaluateDelegations(links, registry, { ...question, before })).toMatchObject({ type: 'unknown' })
    expect(evaluateDelegations(links, registry, { ...question, before, after: balance(15n) }).type).toBe(
      'pass',
    )
    const { first } = evaluateDelegations(links, registry, { ...question, before, after: balance(14n) })
    expect(first).toMatchObject({ link: 1, hook: 'afterHook', certain: true })
  })

  it('is unknown for an unknown enforcer, and sees what an earlier caveat writes', () => {
    const strange = evaluateDelegations(pair([[stranger, '0x']], [limit(1)]), registry, {
      ...question,
      before: chain(0n),
    })
    expect(strange).toMatchObject({ type: 'unknown', caveats: [{ verdict: { missing: 'kind' } }, {}] })
    const refused = evaluateDelegations(pair([[stranger, '0x']], [limit(1)]), registry, {
      ...question,
      before: chain(1n),
    })
    expect(refused).toMatchObject({ type: 'refuse', first: { link: 1, certain: false } })
    // Two counters in one delegation are one counter, which increases by two.
    const twice = evaluateDelegations(pair([limit(1), limit(1)], []), registry, {
      ...question,
      before: chain(0n),
    })
    expect(twice).toMatchObject({ type: 'refuse', first: { link: 0, caveat: 1, certain: true } })
    const enough = evaluateDelegations(pair([limit(1), limit(2)], []), registry, {
      ...question,
      before: chain(0n),
    })
    expect(enough.type).toBe('pass')
  })

  it('reports what the manager itself refuses', () => {
    const links = pair([], [])
    const [leaf, root] = links as readonly [Delegation, Delegation]
    const asked = (chainOfLinks: readonly Delegation[], redeemer = question.redeemer, before = chain(0n)) =>
      evaluateDelegations(chainOfLinks, registry, { ...question, redeemer, before }).manager
    expect(asked(links, addressOf(9))).toMatchObject({ name: 'InvalidDelegate', link: 0 })
    expect(asked([leaf])).toMatchObject({ name: 'InvalidAuthority', link: 0 })
    expect(asked(links, question.redeemer, chain(0n, { [question.manager]: 1n }))).toMatchObject({
      name: 'EnforcedPause',
    })
    const revoked: ChainState = {
      ...chain(0n),
      answer: ({ data }) => ({
        ok: true,
        data: numberToHex(data.endsWith(hashDelegation(root).slice(2)) ? 1 : 0, { size: 32 }),
      }),
    }
    expect(asked(links, question.redeemer, revoked)).toMatchObject({
      name: 'CannotUseADisabledDelegation',
      link: 1,
    })
  })

  it('lists every read once', () => {
    const reads = delegationReads(pair([limit(1), limit(2)], [limit(3)]), registry, question)
    expect(reads.length).toBe(1 + 2 + 2)
    const unread: ChainState = { timestamp: 0n, blockNumber: 0n, answer: () => undefined }
    const { manager, caveats } = evaluateDelegations(pair([limit(1)], []), registry, {
      ...question,
      before: unread,
    })
    expect(manager).toMatchObject({ type: 'unknown' })
    expect(caveats).toMatchObject([{ verdict: { type: 'unknown', missing: [{ to: calls }] } }])
  })
})
