import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { dailySpendLimit } from '../caveats/dailySpendLimit.ts'
import { limitedCalls } from '../caveats/metamask/limitedCalls.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import { id, mandate } from '../caveats/testing/sample.ts'
import { underRules } from '../caveats/underRules.ts'
import { comparePolicies } from './comparePolicies.ts'
import { addressOf, delegate } from './testing/delegations.ts'

const [calls, time, spend, unknown, earlierSpend] = [101, 102, 103, 104, 105].map(addressOf) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]
const registry = registryOf([
  [calls, limitedCalls],
  [time, timestamp],
  [spend, dailySpendLimit],
  [earlierSpend, underRules(dailySpendLimit, 1)],
])
const names: Names = { token: () => undefined, label: () => undefined }
const until = (second: number) =>
  [time, timestamp.encode({ afterThreshold: 0, beforeThreshold: second })] as const
const times = (limit: number) => [calls, limitedCalls.encode({ limit })] as const
const cents = (limitCents: bigint) =>
  [spend, dailySpendLimit.encode({ lineage: id, limitCents, mandate })] as const
const earlierCents = (limitCents: bigint) => [earlierSpend, cents(limitCents)[1]] as const
type Caveats = Parameters<typeof delegate>[2]

function compare(before: Caveats, after: Caveats, to = 1) {
  const { changes, disableFirst } = comparePolicies(
    delegate(0, 1, before),
    delegate(0, to, after, undefined, 1n),
    registry,
    names,
  )
  return [changes.map(({ field, direction }) => `${field} ${direction}`), disableFirst.length > 0]
}

test.for<[name: string, before: Caveats, after: Caveats, changes: readonly string[], disableFirst: boolean]>([
  ['no change', [cents(5n)], [cents(5n)], [], false],
  ['a larger limit', [cents(5n)], [cents(6n)], ['DailySpendLimit wider'], false],
  [
    'a smaller limit: the old one still allows more',
    [cents(5n)],
    [cents(4n)],
    ['DailySpendLimit narrower'],
    true,
  ],
  ['an additional caveat', [cents(5n)], [cents(5n), until(9)], ['Timestamp narrower'], true],
  ['one caveat fewer', [cents(5n), until(9)], [cents(5n)], ['Timestamp wider'], false],
  ['a count by hash starts again', [times(3)], [times(3)], [], true],
  ['two of a kind, one of them the old one', [until(9)], [until(12), until(9)], [], false],
  ['the same unknown enforcer: it may count', [[unknown, '0x01']], [[unknown, '0x01']], [], true],
  [
    'an unknown enforcer with other terms',
    [[unknown, '0x01']],
    [[unknown, '0x02']],
    [`${unknown} other`],
    true,
  ],
  [
    'the same limits in another version: it counts in another contract',
    [earlierCents(5n)],
    [cents(5n)],
    ['enforcer of DailySpendLimit other'],
    true,
  ],
  [
    'a larger limit in another version',
    [earlierCents(5n)],
    [cents(6n)],
    ['DailySpendLimit wider', 'enforcer of DailySpendLimit other'],
    true,
  ],
  ['terms that cannot be decoded', [[time, '0x01']], [until(9)], ['Timestamp other'], true],
])('%s', ([, before, after, changes, disableFirst]) => {
  expect(compare(before, after)).toEqual([changes, disableFirst])
})

test('another delegate cannot be compared', () => {
  expect(compare([cents(5n)], [cents(5n)], 2)).toEqual([['delegate other'], true])
})
