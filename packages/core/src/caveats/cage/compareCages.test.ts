import fc from 'fast-check'
import { type Address, zeroHash } from 'viem'
import { describe, expect, it, test } from 'vitest'
import { BardoError } from '../../errors/BardoError.ts'
import { cage } from '../cage.ts'
import type { RulesVersion } from '../caveatKind.ts'
import { Dice, drawMandate } from '../testing/cases.ts'
import { changed } from '../testing/changed.ts'
import { drawTerms } from '../testing/drawTerms.ts'
import { players } from '../testing/harness.ts'
import { id, mandate, names, otherId, people, usdc } from '../testing/sample.ts'
import type { CageTerms } from './cageTerms.ts'
import { compareCages } from './compareCages.ts'

const base: CageTerms = {
  version: 2,
  golem: id,
  start: 1_800_000_000,
  end: 1_802_592_000,
  classes: 0b1100_0000_0011,
  methods: 0b10010,
  pairs: 1n << 1n,
  graceSeconds: 3_600,
  mood: { minPleasure: -50, maxArousal: 50, minDominance: -50 },
  restricted: 1,
  dayCents: 100_000n,
  slippageBps: 100,
  spreadBps: 50,
  cadenceSeconds: 60,
  calls: 10,
  dollarsByPhase: [500, 400, 300, 200, 0],
  settlement: 0,
  mandate,
  sequencer: people.author,
  nav: { vault: people.vault, bps: 1_000, capCents: 50_000n },
  life: { allowedCents: 500_000n, born: 1_800_000_000, lifespanSeconds: 86_400 },
  royalty: { author: people.author, bps: 500 },
  constitution: id,
  gas: { microEtherPerDay: 50_000n },
  totals: [{ periodSeconds: 604_800, cents: 10_000n }],
  floors: [{ vault: people.vault, floor: 10n ** 18n }],
  coSigners: { threshold: 2, keys: [people.account, people.payee] },
}

describe('a change of a signed Cage', () => {
  test.for<[change: Partial<CageTerms>, direction: string, sentence: string]>([
    [{ golem: otherId }, 'other', 'Golem: 0x00000000…0009 becomes 0x00000000…000a, which cannot be compared'],
    [
      { start: 1_799_999_999 },
      'wider',
      'valid from: 2027-01-15T08:00:00Z becomes 2027-01-15T07:59:59Z, which is wider',
    ],
    [
      { end: 1_802_591_999 },
      'narrower',
      'valid until: 2027-02-14T08:00:00Z becomes 2027-02-14T07:59:59Z, which is narrower',
    ],
    [
      { classes: 0b1100_0000_0001 },
      'narrower',
      'actions: swap, unwind, approve and disapprove becomes swap, approve and disapprove, which is narrower',
    ],
    [
      { methods: 0b110010 },
      'wider',
      'methods: approve and exactInputSingle becomes approve, exactInputSingle and exactInput, which is wider',
    ],
    [{ pairs: 1n << 8n }, 'other', 'swaps: USDC to WETH becomes WETH to USDC, which cannot be compared'],
    [{ restricted: 0 }, 'wider', 'actions restricted by mood: swap becomes none, which is wider'],
    [{ dayCents: 200_000n }, 'wider', 'max in any 24 hours: $1,000 becomes $2,000, which is wider'],
    [{ dayCents: 31_240n }, 'narrower', 'max in any 24 hours: $1,000 becomes $312.40, which is narrower'],
    [{ slippageBps: 101 }, 'wider', 'max slippage: 1 % becomes 1.01 %, which is wider'],
    [{ spreadBps: 0 }, 'narrower', 'max pool deviation: 0.5 % becomes 0 %, which is narrower'],
    [{ cadenceSeconds: 0 }, 'wider', 'min time between executions: 1 minute becomes none, which is wider'],
    [{ calls: 0 }, 'wider', 'total executions: 10 becomes any number, which is wider'],
    [{ calls: 9 }, 'narrower', 'total executions: 10 becomes 9, which is narrower'],
    [
      { dollarsByPhase: [501, 399, 300, 200, 0] },
      'other',
      'max per action: $500 when Thriving, $400 when Stable, $300 when Conservation, $200 when Declining, $0 when Terminal becomes $501 when Thriving, $399 when Stable, $300 when Conservation, $200 when Declining, $0 when Terminal, which cannot be compared',
    ],
    [{ settlement: 255 }, 'other', 'settlement asset: USDC becomes none, which cannot be compared'],
    [{ sequencer: undefined }, 'wider', `rollup’s sequencer: ${people.author} becomes none, which is wider`],
    [
      { nav: { vault: people.vault, bps: 500, capCents: 50_000n } },
      'narrower',
      'max share of the vault: $500 and 10 % of the USDC vault becomes $500 and 5 % of the USDC vault, which is narrower',
    ],
    [
      { life: undefined },
      'wider',
      'lifetime budget: at most $5,000 in total, from 2027-01-15T08:00:00Z to 2027-01-16T08:00:00Z becomes none, which is wider',
    ],
    [
      { royalty: { author: people.author, bps: 600 } },
      'narrower',
      'royalty on sales: 5 % for Ada becomes 6 % for Ada, which is narrower',
    ],
    [
      { constitution: otherId },
      'other',
      'constitution: 0x00000000…0009 becomes 0x00000000…000a, which cannot be compared',
    ],
    [
      { coSigners: { threshold: 1, keys: [people.account, people.payee] } },
      'wider',
      `co-signers: 2 of ${people.account} and Paul becomes 1 of ${people.account} and Paul, which is wider`,
    ],
    [{ version: 1 }, 'other', 'version of the terms: 2 becomes 1, which cannot be compared'],
    [
      { gas: { microEtherPerDay: 100_000n } },
      'wider',
      'gas in any 24 hours: 0.05 of the native currency becomes 0.1 of the native currency, which is wider',
    ],
    [
      { gas: undefined },
      'narrower',
      'gas in any 24 hours: 0.05 of the native currency becomes none, which is narrower',
    ],
    [
      { totals: [{ periodSeconds: 604_800, cents: 5_000n }] },
      'narrower',
      'limits for longer periods: at most $100 in any 7 days, spendable in parts becomes at most $50 in any 7 days, spendable in parts, which is narrower',
    ],
    [
      { totals: [{ periodSeconds: 864_000, cents: 10_000n }] },
      'other',
      'limits for longer periods: at most $100 in any 7 days, spendable in parts becomes at most $100 in any 10 days, spendable in parts, which cannot be compared',
    ],
    [
      { floors: undefined },
      'wider',
      'min return of a vault: the USDC vault: 1 base units of its asset for each base unit of its shares becomes none, which is wider',
    ],
    [{ mood: { minPleasure: -51, maxArousal: 50, minDominance: -50 } }, 'wider', ''],
    [{ mandate: { ...mandate, targets: [] } }, 'narrower', ''],
    // If gas may be drawn, a redeemer that is not a payee draws it without the limits of a payment.
    [{ mandate: { ...mandate, payees: [] } }, 'other', ''],
    [{ mandate: { ...mandate, payees: [people.payee, usdc] } }, 'other', ''],
  ])('%o is %s', ([change, direction, sentence]) => {
    const changes = compareCages(base, { ...base, ...change }, names)
    expect(changes).toEqual([expect.objectContaining({ direction })])
    if (sentence) expect(changes[0]?.sentence).toBe(sentence)
  })

  test('an added payee is wider and a removed one is narrower, if no gas may be drawn', () => {
    const { gas: _, ...dry } = base
    const directionOf = (payees: readonly Address[]) =>
      compareCages(dry, { ...dry, mandate: { ...mandate, payees } }, names).map(({ direction }) => direction)
    expect([directionOf([]), directionOf([people.payee, usdc])]).toEqual([['narrower'], ['wider']])
  })

  test('a change of the dead-man’s switch also reports the sizes if it changes their meaning', () => {
    const growing: CageTerms = { ...base, dollarsByPhase: [1, 2, 2, 2, 2] }
    const fields = (terms: CageTerms) =>
      compareCages(terms, { ...terms, graceSeconds: 1_800 }, names).map(
        ({ field, direction }) => `${field} ${direction}`,
      )
    expect(fields(base)).toEqual(['dead-man’s switch, per phase narrower'])
    expect(fields(growing)).toEqual(['dead-man’s switch, per phase narrower', 'max per action other'])
  })
})

it('reports only narrower changes exactly when one covers the other', () => {
  const seen = { covered: 0, wider: 0, narrower: 0 }
  const drawn = { constitution: zeroHash, keys: [players.payee] }
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const dice = new Dice(g)
      const first = drawMandate(dice)
      const rules = dice.pick(1, 2, 2) as RulesVersion
      const before = decoded(() => drawTerms.cage(dice, first, { ...drawn, rules }))
      if (!before) return
      const after = dice.once(2)
        ? decoded(() => cage.encode(changed(dice, changed(dice, before)) as CageTerms))
        : decoded(() => drawTerms.cage(dice, dice.once(2) ? first : drawMandate(dice), { ...drawn, rules }))
      if (!after) return
      const changes = compareCages(before, after, names)
      const { type } = cage.covers(before, after)
      expect(changes.every(({ direction }) => direction === 'narrower')).toBe(type === 'covered')
      // In the other direction, a narrower change is wider.
      const turned = { narrower: 'wider', wider: 'narrower', other: 'other' } as const
      expect(compareCages(after, before, names).map(({ direction }) => direction)).toEqual(
        changes.map(({ direction }) => turned[direction]),
      )
      seen[type] += 1
      if (type === 'covered' && changes.length > 0) seen.narrower += 1
    }),
    { numRuns: process.env['BARDO_TEST'] === 'full' ? 10_000 : 600 },
  )
  expect(Math.min(seen.covered, seen.wider, seen.narrower)).toBeGreaterThan(20)
})

function decoded(encode: () => `0x${string}`): CageTerms | undefined {
  try {
    return cage.decode(encode())
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}
