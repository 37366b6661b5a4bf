import { type Address, encodeAbiParameters, encodePacked, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import type { CageTerms } from './cage/cageTerms.ts'
import { cage } from './cage.ts'
import type { HookContext } from './caveatKind.ts'
import { id, mandate, names, otherId, people, usdc } from './testing/sample.ts'

const terms: CageTerms = {
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
  coSigners: { threshold: 1, keys: [people.account, people.payee] },
}

it('writes its terms and reads them back, with and without sections', () => {
  expect(cage.decode(cage.encode(terms))).toEqual(terms)
  const { sequencer: _, coSigners: __, ...fewer } = terms
  expect(cage.decode(cage.encode(fewer))).toEqual(fewer)
})

it('does not write terms that its enforcer would refuse', () => {
  for (const wrong of [
    { dayCents: 2n ** 28n },
    { classes: 4_096 },
    { settlement: 2 },
    { slippageBps: 10_001 },
  ])
    expect(() => cage.encode({ ...terms, ...wrong })).toThrow(
      expect.objectContaining({ code: 'TERMS_MALFORMED' }),
    )
})

it('says it in a sentence', () => {
  const { sequencer: _, nav, life, royalty, constitution, coSigners, ...plain } = terms
  expect(cage.describe(plain, names)).toBe(
    'at most $1,000 in any 24 hours, $500 at once when Thriving, $500 at once when Stable, $250 at once when Conservation, $50 at once when Declining, $0 at once when Terminal; swaps cost at most 0.5 %; only swap, unwind, payment and approve, with USDC and WETH; through SwapRouter02 and the USDC vault; paying only Paul; from 2027-01-15T08:00:00Z to 2027-02-14T08:00:00Z, while the Golem 0x00000000…0009 is alive and awake, as its phase allows; each 1 hour of silence counts as one phase further; at most one execution every 1 minute; 1,000 executions in all',
  )
})

it.each<readonly [string, Partial<CageTerms>]>([
  ['nothing changed', {}],
  ['a lower limit', { dayCents: 99_999n }],
  ['smaller sizes', { dollarsByPhase: [499, 500, 250, 50, 0] }],
  ['fewer classes and pairs', { classes: 1, pairs: 2n }],
  ['a royalty that is larger', { royalty: { author: people.author, bps: 600 } }],
])('covers a child with %s', (_, change) => {
  expect(cage.covers(terms, { ...terms, ...change })).toEqual({ is: 'covered' })
})

it.each<readonly [string, Partial<CageTerms>]>([
  ['another Golem', { golem: otherId }],
  ['a higher limit', { dayCents: 100_001n }],
  ['one more class', { classes: terms.classes | 8 }],
  ['larger sizes', { dollarsByPhase: [501, 500, 250, 50, 0] }],
  ['no bound on calls', { calls: 0 }],
  ['a shorter cadence', { cadenceSeconds: 59 }],
  ['no co-signers', { coSigners: undefined }],
  ['no constitution', { constitution: undefined }],
  ['another settlement', { settlement: 255 }],
])('does not cover a child with %s', (_, change) => {
  expect(cage.covers(terms, { ...terms, ...change }).is).toBe('wider')
})

it('knows pairs by their tokens, not by their places', () => {
  const { royalty: _, constitution: __, ...parent } = { ...terms, pairs: 1n << 1n }
  const swapped = { ...mandate, assets: mandate.assets.toReversed() }
  const child = { ...parent, mandate: swapped, settlement: 1 }
  expect(cage.covers(parent, { ...child, pairs: 1n << 8n })).toEqual({ is: 'covered' })
  expect(cage.covers(parent, { ...child, pairs: 1n << 1n }).is).toBe('wider')
})

it('names what it has to know, and never guesses', () => {
  const payment = encodePacked(
    ['address', 'uint256', 'bytes4', 'bytes'],
    [
      usdc,
      0n,
      '0xa9059cbb',
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [people.payee, 1n]),
    ],
  )
  const nobodyLooked = { timestamp: 1_800_000_000n, blockNumber: 1n, answer: () => undefined }
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
    before: nobodyLooked,
  }
  const { coSigners: _, ...plain } = terms
  const asked = cage.reads(cage.encode(plain), context)
  const verdict = cage.evaluate(cage.encode(plain), context)
  expect(verdict.is).toBe('unknown')
  if (verdict.is === 'unknown' && verdict.missing !== 'after')
    for (const read of verdict.missing) expect(asked).toContainEqual(read)
})
