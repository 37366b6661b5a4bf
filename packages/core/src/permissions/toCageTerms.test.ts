import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { cage } from '../caveats/cage.ts'
import type { Names } from '../caveats/caveatKind.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import type { PermissionPlan } from './permissionPlan.ts'
import { compileStrategy } from './strategy/compileStrategy.ts'
import { type AddressBook, toCageTerms } from './toCageTerms.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const usdc = { token: at('1'), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }
const weth = { token: at('2'), feed: at('e'), maxAgeSeconds: 3_600, scale: 26 }
const book: AddressBook = {
  assets: new Map([
    ['USDC', usdc],
    ['WETH', weth],
  ]),
  pools: new Map([['USDC/WETH', at('3')]]),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter02: at('5'), positionManager: at('6') },
  sequencerFeed: at('7'),
}
const names: Names = {
  token: (address) =>
    ({ [at('1')]: { symbol: 'USDC', decimals: 6 }, [at('2')]: { symbol: 'WETH', decimals: 18 } })[address],
  label: (address) =>
    ({ [at('4')]: 'the USDC vault', [at('5')]: 'SwapRouter02', [at('6')]: 'the positions' })[address],
}
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 3_600 } as const
// Liquidity and spawning are also converted, though the runtime does not use them yet.
const supported = new Set(['Swap', 'VaultManagement', 'ProvideLiquidity', 'SpawnReplicants'] as const)
const planOf = (text: string) => compileStrategy(text, { now: 100n, supported }).plan
const termsOf = (text: string, on = book) => toCageTerms(planOf(text), on, subject)
const dca = 'DCA $20.50 of USDC into WETH every week.\nlifespan: 30 days'

describe('the terms of a Cage', () => {
  test('contain the plan’s values, with addresses', () => {
    expect(termsOf(dca)).toEqual({
      version: 2,
      golem: subject.golem,
      start: 100,
      end: 100 + 30 * 86_400,
      classes: (1 << 0) | (1 << 10) | (1 << 11),
      methods: (1 << 1) | (1 << 4),
      pairs: 1n << 1n,
      graceSeconds: 3_600,
      mood: { minPleasure: -90, maxArousal: 90, minDominance: -90 },
      restricted: 1 << 0,
      dayCents: 2_000n,
      slippageBps: 100,
      spreadBps: 0,
      cadenceSeconds: 604_800,
      calls: 0,
      dollarsByPhase: [20, 13, 0, 0, 0],
      settlement: 0,
      mandate: {
        account: subject.account,
        assets: [usdc, weth],
        targets: [{ kind: 1, address: at('5'), selector: '0x00000000' }],
        payees: [],
      },
      sequencer: at('7'),
    })
  })

  test('contain the floors of the allowed vaults, in ascending order', () => {
    const floors = [at('8'), at('4')].map((vault) => ({ vault, floor: 99n }))
    const with2 = { ...book, vaults: new Map([...book.vaults, ['WETH', at('8')] as const]) }
    const both = planOf('Deposit USDC into the vault.\nDeposit WETH into the vault.')
    expect(toCageTerms(both, with2, { ...subject, floors }).floors).toEqual(floors.toReversed())
    expect(toCageTerms(planOf('Deposit USDC into the vault.'), with2, { ...subject, floors }).floors).toEqual(
      [{ vault: at('4'), floor: 99n }],
    )
    expect(toCageTerms(planOf(dca), with2, { ...subject, floors }).floors).toBeUndefined()
  })

  test.for<[text: string, sentence: string]>([
    [
      dca,
      'at most $20 in any 24 hours, $20 per action when Thriving, $13 per action when Stable, $0 per action when Conservation, $0 per action when Declining, $0 per action when Terminal; max slippage 1 %; only swap, approve and disapprove, with USDC and WETH; swapping only USDC to WETH; through SwapRouter02; from 1970-01-01T00:01:40Z to 1970-01-31T00:01:40Z, only while the Golem 0xabababab…abab is active on chain, as its phase allows; after every 1 hour without a heartbeat, the next stricter phase applies; at most one execution every 7 days; swap only with pleasure at least -90, arousal at most 90 and dominance at least -90; nothing while the rollup’s sequencer is down',
    ],
    [
      'Deposit USDC into the vault.',
      'at most $1,000 in any 24 hours, $1,000 per action when Thriving, $666 per action when Stable, $0 per action when Conservation, $0 per action when Declining, $0 per action when Terminal; only deposit, withdraw, approve and disapprove, with USDC; through the USDC vault; from 1970-01-01T00:01:40Z to 1970-01-08T00:01:40Z, only while the Golem 0xabababab…abab is active on chain, as its phase allows; after every 1 hour without a heartbeat, the next stricter phase applies; deposit only with pleasure at least -90, arousal at most 90 and dominance at least -90; nothing while the rollup’s sequencer is down; per action at most $1,000 and 10 % of the assets in the USDC vault',
    ],
    [
      'budget: $300/day\n\nProvide liquidity to the USDC/WETH pool.\nslippage: 2%\nlifespan: 1 day',
      'at most $300 in any 24 hours, $300 per action when Thriving, $200 per action when Stable, $0 per action when Conservation, $0 per action when Declining, $0 per action when Terminal; only addLiquidity, removeLiquidity, approve and disapprove, with USDC and WETH; through the positions; from 1970-01-01T00:01:40Z to 1970-01-02T00:01:40Z, only while the Golem 0xabababab…abab is active on chain, as its phase allows; after every 1 hour without a heartbeat, the next stricter phase applies; addLiquidity only with pleasure at least -90, arousal at most 90 and dominance at least -90; nothing while the rollup’s sequencer is down',
    ],
  ])('decode to the same terms, and describe the strategy: %s', ([text, sentence]) => {
    const terms = termsOf(text)
    const decoded = cage.decode(cage.encode(terms))
    expect(decoded).toEqual(terms)
    expect(cage.describe(decoded, names)).toBe(sentence)
  })

  test('name pools and vaults', () => {
    expect(termsOf('Provide liquidity to USDC/WETH.').mandate.targets).toEqual([
      { kind: 5, address: at('3'), selector: '0x00000000' },
      { kind: 4, address: at('6'), selector: '0x00000000' },
    ])
    expect(termsOf('Deposit USDC into the vault.').nav).toEqual({
      vault: at('4'),
      bps: 1_000,
      capCents: 100_000n,
    })
  })

  test('allow Replicants by the class alone, without a contract', () => {
    const { classes, methods, mandate } = termsOf('Swap USDC to WETH. Spawn replicants.')
    const without = termsOf('Swap USDC to WETH.')
    expect(classes).toBe(without.classes | classBits.spawn)
    expect({ methods, mandate }).toEqual({ methods: without.methods, mandate: without.mandate })
  })

  test.for(['Swap USDC to WBTC.', 'Deposit WETH into the vault.'])(
    'are refused if the chain has no such contract: %s',
    (text) => {
      expect(() => termsOf(text)).toThrow(expect.objectContaining({ code: 'ADDRESS_UNKNOWN' }))
    },
  )

  test.for(['Watch the market.', 'Spawn replicants.'])('are refused without an asset: %s', (text) => {
    expect(() => termsOf(text)).toThrow(/needs at least one/)
  })
})

describe('a number that does not fit its field is refused, and named', () => {
  const plan = planOf('Deposit USDC into the vault.')
  const nav = { asset: 'USDC', bps: 1, capCents: 1n }
  test.for<[detail: string, change: Partial<PermissionPlan>]>([
    ['dayCents is 268435456', { dayCents: 1n << 28n }],
    ['dayCents is -1', { dayCents: -1n }],
    ['sizeCents[0] in dollars is 16777216', { sizeCents: [100n << 24n, 0n, 0n, 0n, 0n] }],
    ['sizeCents[4] in dollars is -1', { sizeCents: [0n, 0n, 0n, 0n, -100n] }],
    ['slippageBps is 10001', { slippageBps: 10_001 }],
    ['spreadBps is 0.5', { spreadBps: 0.5 }],
    ['cadenceSeconds is 4294967296', { cadenceSeconds: 2 ** 32 }],
    ['calls is 4294967296', { calls: 2 ** 32 }],
    ['calls is -1', { calls: -1 }],
    ['calls is NaN', { calls: Number.NaN }],
    ['window.end is 1099511627776', { window: { start: 0n, end: 1n << 40n } }],
    ['window.start is -1', { window: { start: -1n, end: 1n } }],
    ['vaultNav.bps is 10001', { sections: { vaultNav: { ...nav, bps: 10_001 } } }],
    ['vaultNav.capCents is 1099511627776', { sections: { vaultNav: { ...nav, capCents: 1n << 40n } } }],
    ['payees is 64', { payees: Array.from({ length: 64 }, () => at('a')) }],
    ['0xabc', { payees: ['0xabc'] }],
    ['the plan has 9: A, B, C, D, E, F, G, H, I', { assets: [...'ABCDEFGHI'] }],
  ])('%s', ([detail, change]) => {
    expect(() => toCageTerms({ ...plan, ...change }, book, subject)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.arrayContaining([detail]) }),
    )
  })

  test('the largest number that fits is accepted', () => {
    const most = { dayCents: (1n << 28n) - 1n, calls: 2 ** 32 - 1, cadenceSeconds: 2 ** 32 - 1 }
    expect(cage.decode(cage.encode(toCageTerms({ ...plan, ...most }, book, subject)))).toMatchObject(most)
  })

  test('terms with a negative number cannot be encoded', () => {
    expect(() => cage.encode({ ...termsOf(dca), calls: -1 })).toThrow(/does not fit/)
  })
})
