import { describe, expect, test } from 'vitest'
import { compileStrategy } from './strategy/compileStrategy.ts'
import { type AddressBook, toCageBounds } from './toCageBounds.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const asset = (digit: string) => ({ token: at(digit), feed: at('f'), maxAge: 3_600, scale: 14 })
const book: AddressBook = {
  assets: new Map([
    ['USDC', asset('1')],
    ['WETH', asset('2')],
  ]),
  pools: new Map([['USDC/WETH', at('3')]]),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter: at('5'), positionManager: at('6') },
  sequencerFeed: at('7'),
}
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 3_600 } as const
const bounds = (text: string, on = book) =>
  toCageBounds(compileStrategy(text, { now: 100n }).plan, on, subject)

describe('the bounds of a Cage', () => {
  test('are a plan’s, with addresses', () => {
    expect(bounds('DCA $20.50 of USDC into WETH every week.\nlifespan: 30 days')).toEqual({
      golem: subject.golem,
      start: 100n,
      end: 100n + 30n * 86_400n,
      classes: (1 << 0) | (1 << 10) | (1 << 11),
      methods: (1 << 1) | (1 << 4),
      pairs: 1n << 1n,
      grace: 3_600,
      mood: { minPleasure: -100, maxArousal: 100, minDominance: -100 },
      restricted: 0,
      dayCents: 2_050,
      slippage: 100,
      spread: 0,
      cadence: 604_800,
      calls: 0,
      sizes: [20, 13, 0, 0, 0],
      settlement: 0,
      mandate: {
        account: subject.account,
        assets: [asset('1'), asset('2')],
        targets: [{ kind: 1, contract: at('5'), selector: '0x00000000' }],
        payees: [],
      },
      sections: { sequencer: at('7') },
    })
  })

  test('name pools and vaults', () => {
    expect(bounds('Provide liquidity to USDC/WETH.').mandate.targets).toEqual([
      { kind: 5, contract: at('3'), selector: '0x00000000' },
      { kind: 4, contract: at('6'), selector: '0x00000000' },
    ])
    expect(bounds('Deposit USDC into the vault.').sections.vault).toEqual({
      vault: at('4'),
      bps: 1_000,
      capCents: 100_000n,
    })
  })

  test.for(['Swap USDC to WBTC.', 'Deposit WETH into the vault.', 'Spawn replicants.'])(
    'are refused where the chain has no such contract: %s',
    (text) => {
      expect(() => bounds(text)).toThrow(expect.objectContaining({ code: 'ADDRESS_UNKNOWN' }))
    },
  )
})
