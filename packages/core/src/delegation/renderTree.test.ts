import { type Hex, numberToHex, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import type { ChainState, Names } from '../caveats/caveatKind.ts'
import { erc20TransferAmount } from '../caveats/metamask/erc20TransferAmount.ts'
import { limitedCalls } from '../caveats/metamask/limitedCalls.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import { hashDelegation } from './hashDelegation.ts'
import { treeToJson, treeToText } from './renderTree.ts'
import { revocationState } from './revocationState.ts'
import { addressOf, delegate } from './testing/delegations.ts'
import { buildTree } from './tree.ts'
import { treeReads } from './usage.ts'

const [spend, calls, time, usdc, manager] = [201, 202, 203, 204, 205].map(addressOf) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]
const registry = registryOf([
  [spend, erc20TransferAmount],
  [calls, limitedCalls],
  [time, timestamp],
])
const names: Names = {
  token: (address) => (address === usdc ? { symbol: 'USDC', decimals: 6 } : undefined),
  label: (address) =>
    ({ [addressOf(0)]: 'Owner', [addressOf(1)]: 'Alpha', [addressOf(2)]: 'Alpha-1' })[address],
}
const root = delegate(0, 1, [
  [spend, erc20TransferAmount.encode({ token: usdc, amount: parseUnits('1000', 6) })],
  [time, timestamp.encode({ afterThreshold: 0, beforeThreshold: 2_000_000_000 })],
])
const child = delegate(1, 2, [[calls, limitedCalls.encode({ limit: 5 })]], hashDelegation(root))
const other = delegate(0, 3, [], undefined, 1n)
const tree = buildTree([root, child, other])

function at(now: bigint, used: bigint, spent = parseUnits('400', 6)): ChainState {
  return {
    timestamp: now,
    blockNumber: 1n,
    answer: ({ to }) => ({ ok: true, data: numberToHex(to === calls ? used : spent, { size: 32 }) }),
  }
}
const facts = (state: ChainState, disabled: [Hex, { transaction: Hex; at: bigint }][] = []) => ({
  manager,
  state,
  disabled: new Map(disabled),
})

describe('a delegation’s state', () => {
  const of = (hash: Hex, ...args: Parameters<typeof facts>) =>
    revocationState(tree, hash, registry, facts(...args))
  const [top, below] = [hashDelegation(root), hashDelegation(child)]

  it('is active, revoked, expired or used up, and applies to everything below', () => {
    expect(of(below, at(1n, 0n))).toEqual({ type: 'active' })
    expect(of(below, at(2_000_000_000n, 0n))).toEqual({ type: 'expired', link: top, at: 1_999_999_999n })
    expect(of(below, at(1n, 5n))).toEqual({ type: 'exhausted', link: below, enforcer: calls, total: 5n })
    expect(of(top, at(1n, 5n))).toEqual({ type: 'active' })
    const revoked = { transaction: '0xaa', at: 77n } as const
    expect(of(below, at(2_000_000_000n, 5n), [[top, revoked]])).toEqual({
      type: 'revoked',
      link: top,
      ...revoked,
    })
  })
})

describe('a tree', () => {
  it('is rendered as text, with the usage of each limit', () => {
    const text = treeToText(tree, { registry, names, facts: facts(at(1n, 5n)) })
    expect(text.replaceAll(/0x[0-9a-f]{8}(?= )/g, '0x…')).toBe(
      [
        'Owner',
        '├─ 0x… to Alpha: active',
        '│  │  at most 1,000 USDC in total, as plain transfers (400 USDC of 1,000 USDC used)',
        '│  │  only before 2033-05-18 03:33:20 UTC',
        '│  └─ 0x… to Alpha-1: used up',
        '│        at most 5 times in total (5 of 5 executions used)',
        `└─ 0x… to ${addressOf(3)}: active`,
        '      no caveats',
      ].join('\n'),
    )
  })

  it('survives JSON', () => {
    const json = treeToJson(tree, { registry, names, facts: facts(at(1n, 0n)) })
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      root: addressOf(0),
      delegations: [
        { state: { type: 'active' }, delegations: [{ caveats: [{ used: [{ spent: '0', limit: '5' }] }] }] },
        {},
      ],
    })
    expect(treeReads(tree, registry, manager).length).toBe(2)
  })
})
