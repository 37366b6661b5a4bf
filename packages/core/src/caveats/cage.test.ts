import fc from 'fast-check'
import { type Address, encodeAbiParameters, encodePacked, type Hex, zeroAddress, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { BardoError } from '../errors/BardoError.ts'
import type { CageTerms } from './cage/cageTerms.ts'
import { cage } from './cage.ts'
import type { HookContext, Names, RulesVersion } from './caveatKind.ts'
import { drawMandate } from './testing/cases.ts'
import { drawTerms } from './testing/drawTerms.ts'
import { replayRandom, tape } from './testing/replayRandom.ts'
import { id, mandate, names, otherId, people, usdc } from './testing/sample.ts'

const terms: CageTerms = {
  version: 2,
  golem: id,
  start: 1_800_000_000,
  end: 1_802_592_000,
  classes: 1 | 2 | 64 | 1_024,
  methods: 2 ** 19 - 1,
  pairs: 2n ** 64n - 1n,
  graceSeconds: 3_600,
  mood: { minPleasure: -100, maxArousal: 100, minDominance: -100 },
  restricted: 0,
  dayCents: 100_000n,
  slippageBps: 50,
  spreadBps: 100,
  cadenceSeconds: 60,
  calls: 1_000,
  dollarsByPhase: [500, 500, 250, 50, 0],
  settlement: 0,
  mandate,
  sequencer: people.router,
  nav: { vault: people.vault, bps: 1_000, capCents: 50_000n },
  life: { allowedCents: 500_000n, born: 1_800_000_000, lifespanSeconds: 86_400 },
  royalty: { author: people.author, bps: 500 },
  constitution: otherId,
  gas: { microEtherPerDay: 50_000n },
  totals: [
    { periodSeconds: 0, cents: 500_000n },
    { periodSeconds: 604_800, cents: 10_000n },
  ],
  floors: [{ vault: people.vault, floor: 990_000_000_000_000_000n }],
  coSigners: { threshold: 1, keys: [people.account, people.payee] },
}

it('encodes its terms and decodes them again, with and without sections', () => {
  expect(cage.decode(cage.encode(terms))).toEqual(terms)
  const { sequencer: _, coSigners: __, ...fewer } = terms
  expect(cage.decode(cage.encode(fewer))).toEqual(fewer)
})

it('writes and reads version 1, which has no gas, totals or floors', () => {
  const { gas: _, totals: __, floors: ___, ...rest } = terms
  const earlier = { ...rest, version: 1 } as const
  expect(cage.decode(cage.encode(earlier))).toEqual(earlier)
  // One byte less: version 2 has two bytes of section flags.
  expect(cage.encode(earlier).length).toBe(cage.encode({ ...earlier, version: 2 }).length - 2)
  expect(() => cage.encode({ ...terms, version: 1 })).toThrow('no section for gas, totals, floors')
  expect(() => cage.decode(cage.encode(earlier), 2)).toThrow('terms of Cage are malformed')
  expect(() => cage.decode(cage.encode(terms), 1)).toThrow('terms of Cage are malformed')
})

it('reads back every encoded terms of both versions, byte for byte', () => {
  const seen = { 1: 0, 2: 0 }
  fc.assert(
    fc.property(tape, fc.constantFrom<RulesVersion[]>(1, 2), (throws, rules) => {
      const dice = replayRandom(throws)
      const drawn = { constitution: zeroHash, keys: [people.payee], rules }
      const bytes = drawTerms.cage(dice, drawMandate(dice), drawn)
      const known = decoded(bytes)
      if (!known) return
      seen[rules] += 1
      expect(known.version).toBe(rules)
      expect(cage.encode(known)).toBe(bytes.toLowerCase())
    }),
    { numRuns: 400 },
  )
  expect(Math.min(seen[1], seen[2])).toBeGreaterThan(50)
})

it('refuses terms that end inside a section or have trailing bytes', () => {
  const bytes = cage.encode(terms)
  for (let cut = 2; cut < bytes.length; cut += 2)
    expect(() => cage.decode(`0x${bytes.slice(2, cut)}`)).toThrow('terms of Cage are malformed')
  expect(() => cage.decode(`${bytes}00`)).toThrow('terms of Cage are malformed')
})

it('refuses to encode terms that its enforcer would refuse', () => {
  for (const wrong of [
    { dayCents: 2n ** 28n },
    { classes: 8_192 },
    { version: 1, classes: 4_096 } as const,
    { settlement: 2 },
    { slippageBps: 10_001 },
    { gas: { microEtherPerDay: 0n } },
    { gas: { microEtherPerDay: 2n ** 28n } },
    { totals: [] },
    { totals: [{ periodSeconds: 86_399, cents: 1n }] },
    { totals: [{ periodSeconds: 86_401, cents: 1n }] },
    { totals: [{ periodSeconds: 86_400, cents: 0n }] },
    { totals: [{ periodSeconds: 86_400, cents: 2n ** 28n }] },
    { totals: [86_400, 0].map((periodSeconds) => ({ periodSeconds, cents: 1n })) },
    { totals: [86_400, 86_400].map((periodSeconds) => ({ periodSeconds, cents: 1n })) },
    { totals: [0, 1, 2, 3, 4].map((days) => ({ periodSeconds: days * 86_400, cents: 1n })) },
    { floors: [] },
    { floors: [{ vault: people.vault, floor: 0n }] },
    { floors: [people.router, people.vault].map((vault) => ({ vault, floor: 1n })) },
    { floors: [people.vault, people.vault].map((vault) => ({ vault, floor: 1n })) },
  ])
    expect(() => cage.encode({ ...terms, ...wrong })).toThrow(
      expect.objectContaining({ code: 'TERMS_MALFORMED' }),
    )
})

it('describes its terms in a sentence', () => {
  const { sequencer: _, nav, life, royalty, constitution, gas, totals, floors, coSigners, ...plain } = terms
  expect(cage.describe(plain, names)).toBe(
    'at most $1,000 in any 24 hours, $500 per action when Thriving, $500 per action when Stable, $250 per action when Conservation, $50 per action when Declining, $0 per action when Terminal; max slippage 0.5 %; only swap, unwind, payment and approve, with USDC and WETH; through SwapRouter02 and the USDC vault; paying only Paul; from 2027-01-15T08:00:00Z to 2027-02-14T08:00:00Z, only while the Golem 0x00000000…0009 is active on chain, as its phase allows; after every 1 hour without a heartbeat, the next stricter phase applies; at most one execution every 1 minute; 1,000 executions in all',
  )
})

it('describes the limits for longer periods, gas and vaults', () => {
  const { sequencer: _, nav, life, royalty, constitution, coSigners, ...plain } = terms
  const known: Names = {
    token: (address) =>
      address === people.vault
        ? { symbol: 'vUSDC', decimals: 6 }
        : address === zeroAddress
          ? { symbol: 'ETH', decimals: 18 }
          : names.token(address),
    label: names.label,
    vaultAsset: (vault) => (vault === people.vault ? usdc : undefined),
  }
  expect(cage.describe(plain, known)).toContain(
    '; at most $5,000 over its whole life; at most $100 in any 7 days, spendable in parts; draws at most 0.05 ETH for gas in any 24 hours; leaving vUSDC counts as spending when it returns less than 0.99 USDC a share',
  )
  // Amounts without known decimals are shown in base units.
  expect(cage.describe(plain, names)).toContain(
    'draws at most 0.05 of the native currency for gas in any 24 hours; leaving the USDC vault counts as spending when it returns less than 0.99 base units of its asset for each base unit of its shares',
  )
})

it.each<readonly [string, Partial<CageTerms>]>([
  ['no change', {}],
  ['less gas', { gas: { microEtherPerDay: 49_999n } }],
  ['no gas', { gas: undefined }],
  ['smaller totals', { totals: terms.totals?.map((total) => ({ ...total, cents: 1n })) }],
  ['an additional total', { totals: [...(terms.totals ?? []), { periodSeconds: 864_000, cents: 9n }] }],
  ['a higher floor', { floors: [{ vault: people.vault, floor: 10n ** 18n }] }],
  ['an additional floor', { floors: [...(terms.floors ?? []), { vault: people.router, floor: 1n }] }],
  ['a lower limit', { dayCents: 99_999n }],
  ['smaller sizes', { dollarsByPhase: [499, 500, 250, 50, 0] }],
  ['fewer classes and pairs', { classes: 1, pairs: 2n }],
  ['a larger royalty', { royalty: { author: people.author, bps: 600 } }],
])('covers a child with %s', (_, change) => {
  expect(cage.covers(terms, { ...terms, ...change })).toEqual({ type: 'covered' })
})

it.each<readonly [string, Partial<CageTerms>]>([
  ['another Golem', { golem: otherId }],
  ['a higher limit', { dayCents: 100_001n }],
  ['an additional class', { classes: terms.classes | 8 }],
  ['larger sizes', { dollarsByPhase: [501, 500, 250, 50, 0] }],
  ['no limit on calls', { calls: 0 }],
  ['a shorter cadence', { cadenceSeconds: 59 }],
  ['no co-signers', { coSigners: undefined }],
  ['no constitution', { constitution: undefined }],
  ['another settlement asset', { settlement: 255 }],
  ['more gas', { gas: { microEtherPerDay: 50_001n } }],
  [
    'gas for a payee of the parent that is not the child’s payee',
    { mandate: { ...mandate, payees: [] }, gas: { microEtherPerDay: 1n } },
  ],
  ['one total fewer', { totals: terms.totals?.slice(1) }],
  ['no totals', { totals: undefined }],
  ['a larger total', { totals: terms.totals?.map((total) => ({ ...total, cents: total.cents + 1n })) }],
  [
    'another period',
    {
      totals: [
        { periodSeconds: 0, cents: 1n },
        { periodSeconds: 86_400, cents: 1n },
      ],
    },
  ],
  ['a lower floor', { floors: [{ vault: people.vault, floor: 1n }] }],
  ['the floor of another vault', { floors: [{ vault: people.router, floor: 10n ** 18n }] }],
  ['no floors', { floors: undefined }],
  ['another version', { version: 1 }],
])('does not cover a child with %s', (_, change) => {
  expect(cage.covers(terms, { ...terms, ...change }).type).toBe('wider')
})

it('does not cover a child with gas if the parent has none', () => {
  expect(cage.covers({ ...terms, gas: undefined }, terms).type).toBe('wider')
})

it('compares pairs by their tokens, not by their indexes', () => {
  const { royalty: _, constitution: __, ...parent } = { ...terms, pairs: 1n << 1n }
  const swapped = { ...mandate, assets: mandate.assets.toReversed() }
  const child = { ...parent, mandate: swapped, settlement: 1 }
  expect(cage.covers(parent, { ...child, pairs: 1n << 8n })).toEqual({ type: 'covered' })
  expect(cage.covers(parent, { ...child, pairs: 1n << 1n }).type).toBe('wider')
})

it('lists the reads that it needs, and never guesses', () => {
  const payment = encodePacked(
    ['address', 'uint256', 'bytes4', 'bytes'],
    [
      usdc,
      0n,
      '0xa9059cbb',
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [people.payee, 1n]),
    ],
  )
  const unread = { timestamp: 1_800_000_000n, blockNumber: 1n, answer: () => undefined }
  const enforcer: Address = `0x${'ee'.repeat(20)}`
  const context: HookContext = {
    chainId: 1,
    manager: people.router,
    enforcer,
    execution: { mode: zeroHash, calldata: payment },
    delegationHash: id,
    delegator: people.account,
    redeemer: people.author,
    args: '0x',
    before: unread,
  }
  const { coSigners: _, ...plain } = terms
  const asked = cage.reads(cage.encode(plain), context)
  const verdict = cage.evaluate(cage.encode(plain), context)
  expect(verdict.type).toBe('unknown')
  if (verdict.type === 'unknown' && verdict.missing !== 'after')
    for (const read of verdict.missing) expect(asked).toContainEqual(read)
})

function decoded(bytes: Hex): CageTerms | undefined {
  try {
    return cage.decode(bytes)
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}
