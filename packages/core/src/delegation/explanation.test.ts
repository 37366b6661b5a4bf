import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { erc20BalanceChange } from '../caveats/metamask/erc20BalanceChange.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import { evaluateDelegations } from './evaluateDelegations.ts'
import { type Explanation, explain, type Revert } from './explanation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { explanationToJson, explanationToText } from './renderExplanation.ts'
import { addressOf, delegate } from './testing/delegations.ts'

const [time, change, stranger] = [addressOf(103), addressOf(104), addressOf(105)]
const registry = registryOf([
  [time, timestamp],
  [change, erc20BalanceChange],
])
const names: Names = {
  token: () => undefined,
  label: (address) => ({ [addressOf(0)]: 'Olga', [addressOf(1)]: 'Golem', [addressOf(2)]: 'Robo' })[address],
}
const until = (second: number) =>
  [time, timestamp.encode({ afterThreshold: 0, beforeThreshold: second })] as const
const loses = [
  change,
  erc20BalanceChange.encode({ token: addressOf(7), account: addressOf(0), change: 'decrease', amount: 5n }),
] as const
const revert = (data: Revert['data'], name = 'Error'): Revert => ({
  name,
  args: [],
  data,
  text: name,
  remedy: undefined,
})

/** An explanation of two links on a chain that answers zero to every read. */
function explained(
  caveats: readonly [Parameters<typeof delegate>[2], Parameters<typeof delegate>[2]],
  parts: Partial<Pick<Explanation, 'execution' | 'redemption'>> = {},
): Explanation {
  const root = delegate(0, 1, caveats[1])
  const links = [delegate(1, 2, caveats[0], hashDelegation(root)), root]
  const before = {
    timestamp: 100n,
    blockNumber: 7n,
    answer: () => ({ ok: true, data: numberToHex(0, { size: 32 }) }),
  }
  const verdict = evaluateDelegations(links, registry, {
    chainId: 1,
    manager: addressOf(50),
    redeemer: addressOf(2),
    execution: { mode: numberToHex(0, { size: 32 }), calldata: '0x' },
    before,
  })
  return explain({
    links,
    redeemer: addressOf(2),
    block: { number: 7n, timestamp: 100n },
    verdict,
    execution: { type: 'done' },
    redemption: { type: 'done' },
    ...parts,
  })
}

const expired = explained([[], [until(50)]])
const expiredData = expired.verdict.first?.refusal.data ?? '0x'

describe('the library against the node', () => {
  const at = { type: 'execution', target: stranger } as const
  const failed = { type: 'reverted', revert: revert('0xaaaa'), target: stranger } as const
  it.each<[string, Explanation, Partial<Explanation>]>([
    ['both pass', explained([[], [until(200)]]), { type: 'pass', agrees: true }],
    ['only the library refuses', expired, { type: 'pass', agrees: false }],
    [
      'both refuse with the same bytes',
      explained([[], [until(50)]], {
        redemption: { type: 'reverted', revert: revert(expiredData), at: undefined },
      }),
      { type: 'refuse', agrees: true },
    ],
    [
      'both refuse with other bytes',
      explained([[], [until(50)]], {
        redemption: { type: 'reverted', revert: revert('0xbbbb'), at: undefined },
      }),
      { type: 'refuse', agrees: false },
    ],
    [
      'only the node refuses',
      explained([[], [until(200)]], {
        redemption: { type: 'reverted', revert: revert('0xbbbb'), at: undefined },
      }),
      { type: 'refuse', agrees: false },
    ],
    [
      'the library does not check signatures',
      explained([[], []], {
        redemption: { type: 'reverted', revert: revert('0xcc', 'InvalidEOASignature'), at: undefined },
      }),
      { type: 'refuse', agrees: true },
    ],
    [
      'the account’s own call fails',
      explained([[], [loses]], {
        execution: failed,
        redemption: { type: 'reverted', revert: failed.revert, at },
      }),
      { type: 'fails', agrees: true },
    ],
    [
      'a caveat refuses before the account’s own call would fail',
      explained([[], [until(50)]], {
        execution: failed,
        redemption: { type: 'reverted', revert: revert(expiredData), at: undefined },
      }),
      { type: 'refuse', agrees: true },
    ],
    [
      'the call fails alone and passes inside the redemption',
      explained([[], []], { execution: failed }),
      { type: 'pass', agrees: false },
    ],
    [
      'the verdict is unknown, and the node refuses',
      explained([[[stranger, '0x']], []], {
        redemption: { type: 'reverted', revert: revert('0xbbbb'), at: undefined },
      }),
      { type: 'refuse', agrees: true },
    ],
    [
      'the verdict is unknown, and the node’s execution fails',
      explained([[[stranger, '0x']], []], {
        execution: { type: 'unknown' },
        redemption: { type: 'reverted', revert: revert('0xbbbb'), at },
      }),
      { type: 'fails', agrees: true },
    ],
  ])('%s', (_, explanation, expected) => {
    expect(explanation).toMatchObject(expected)
  })
})

describe('explanationToText', () => {
  it('lists every link, with what would make it pass', () => {
    const why = explained([[loses, [stranger, '0x1234']], [until(50)]], {
      redemption: { type: 'reverted', revert: revert(expiredData), at: undefined },
    })
    expect(explanationToText(why, { registry, names })).toMatchInlineSnapshot(`
      "Refused by Timestamp at link 1 (0 is the leaf), in beforeHook.
      → Ask the owner to sign again: the delegation ended at 1970-01-01 00:00:50 UTC; the time is 1970-01-01 00:01:40 UTC.
      ? link 0, 0x417ad1ff: Golem lets Robo
        ? ERC20BalanceChange: Olga loses at most 5 units of the token 0x000000000000000000000000000000000b0b0007 per execution
            it depends on what the execution moves
        ? unknown: unreadable: 0x000000000000000000000000000000000b0b0069 with 0x1234
            the enforcer is unknown
      ✗ link 1, 0xa70753ad: Olga lets Golem
        ✗ Timestamp: only before 1970-01-01 00:00:50 UTC
            Error(TimestampEnforcer:expired-delegation) in beforeHook
            Ask the owner to sign again: the delegation ended at 1970-01-01 00:00:50 UTC; the time is 1970-01-01 00:01:40 UTC.
      ✓ apart from the caveats, the transaction would succeed
      ✓ confirmed by the node in block 7 at 1970-01-01 00:01:40 UTC"
    `)
  })

  it('shows what a trace reveals about an unknown enforcer', () => {
    const at = { type: 'caveat', link: 0, caveat: 0, enforcer: stranger, hook: 'beforeHook' } as const
    const why = explained([[[stranger, '0x1234']], []], {
      redemption: { type: 'reverted', revert: revert('0xbbbb', 'Nope'), at },
    })
    const json = explanationToJson(why, { registry, names })
    expect(json.summary).toContain('link 0')
    expect(json.links[0]?.caveats[0]).toMatchObject({
      type: 'refuse',
      hook: 'beforeHook',
      error: { name: 'Nope' },
    })
  })

  it('survives JSON', () => {
    const json = explanationToJson(expired, { registry, names })
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      type: 'pass',
      agrees: false,
      block: { number: '7', timestamp: '100' },
      links: [{}, { caveats: [{ name: 'Timestamp', type: 'refuse', hook: 'beforeHook' }] }],
    })
  })
})

it('replaces known addresses in a remedy by names, and leaves unknown ones', () => {
  const remedy = `Let the value return to ${addressOf(0)}, not to ${stranger}.`
  const failed = { type: 'reverted', revert: { ...revert('0xaaaa'), remedy }, target: stranger } as const
  const why = explained([[], [until(200)]], {
    execution: failed,
    redemption: { ...failed, at: { type: 'execution', target: stranger } },
  })
  expect(explanationToJson(why, { registry, names })).toMatchObject({
    type: 'fails',
    remedy: `Let the value return to Olga, not to ${stranger}.`,
  })
})
