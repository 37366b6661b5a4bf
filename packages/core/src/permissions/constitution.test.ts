import { zeroAddress } from 'viem'
import { describe, expect, it, test } from 'vitest'
import { cage } from '../caveats/cage.ts'
import {
  type ConstitutionPlan,
  type ConstitutionRules,
  compareConstitutions,
  completeRules,
  constitutionSentences,
  hashConstitution,
  namedConstitution,
  narrowRules,
  noLimitCents,
  toConstitution,
} from './constitution.ts'
import { compileStrategy } from './strategy/compileStrategy.ts'
import { type AddressBook, constitutionIn, missingAddresses, toCageTerms } from './toCageTerms.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const symbols = ['USDC', 'WBTC', 'WETH']
const book: AddressBook = {
  assets: new Map(
    symbols.map((symbol, place) => [
      symbol,
      { token: at(`${9 - place}`), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
    ]),
  ),
  pools: new Map(),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter02: at('5') },
}
const now = 1_800_000_000n
const swap = 'Swap USDC into WETH every day, $20 each.'

const compiled = (line: string, text = swap) => compileStrategy(`${text}\n\n${line}`, { now, symbols })

/** The stated parts of the constitution that a line is compiled into. */
function read(line: string, text = swap): Readonly<Record<string, unknown>> | undefined {
  const plan = compiled(line, text).plan.sections.constitution
  if (!plan) return undefined
  const shares = Object.fromEntries(plan.shares.map(({ asset, bps }) => [asset, bps]))
  return {
    ...shares,
    ...(plan.maxDrawdownBps < 10_000 && { drawdown: plan.maxDrawdownBps }),
    ...(plan.perSessionCents < noLimitCents && { session: [plan.perSessionCents, plan.sessionSeconds] }),
  }
}

describe('lines of a strategy', () => {
  const all = { USDC: 10_000, WETH: 10_000 }
  const third = { ...all, WETH: 3_000 }
  test.each<[string, Readonly<Record<string, unknown>> | undefined]>([
    ['Never hold more than 30% in WETH.', third],
    ['WETH is at most 30 % of the portfolio.', third],
    ['Keep WETH below 30 percent of the portfolio.', third],
    ['Maximum allocation to WETH: 30%.', third],
    ['WETH must never exceed 30% of the portfolio.', third],
    ['No asset may exceed 40% of the portfolio.', { USDC: 4_000, WETH: 4_000 }],
    ['Never hold more than 30% in WETH. Never hold more than 25% in WETH.', { ...all, WETH: 2_500 }],
    ['Stop when the drawdown is 15%.', { ...all, drawdown: 1_500 }],
    ['max drawdown: 15%', { ...all, drawdown: 1_500 }],
    ['Stop if the portfolio falls 12.5%.', { ...all, drawdown: 1_250 }],
    ['At most $100 per session.', { ...all, session: [10_000n, 3_600] }],
    ['Spend at most $60 a session of 4 hours.', { ...all, session: [6_000n, 14_400] }],
    ['Approved assets: USDC, WETH', all],
    ['Only hold USDC and WETH.', all],
    // A lower bound, a share of a trade, a question and an aside are not limits of the portfolio.
    ['Hold at least 30% in USDC.', undefined],
    ['Never hold less than 30% in USDC.', undefined],
    ['Hold more than 30% in WETH.', undefined],
    ['Swap at most 5% of the portfolio into WETH.', undefined],
    ['Should it hold more than 30% in WETH?', undefined],
    ['## Ideas\n\nNever hold more than 30% in WETH.', undefined],
    ['Stop when WETH drops 15%.', undefined],
  ])('reads “%s”', (line, expected) => expect(read(line)).toEqual(expected))

  it('reports what it does not sign, and nothing that it signs', () => {
    for (const line of ['Never hold more than 30% in WETH.', 'Stop when the drawdown is 15%.']) {
      const { ambiguities, setNothing } = compiled(line)
      expect([ambiguities, setNothing]).toEqual([[], []])
    }
    expect(compiled('Hold at least 30% in USDC.').ambiguities).toMatchObject([{ outcome: 'notSigned' }])
  })

  it('names the sentence of each rule', () => {
    const { plan } = compiled('Never hold more than 30% in WETH.\nStop when the drawdown is 15%.')
    const reason = (permission: string) => plan.reasons.find((one) => one.permission === permission)?.because
    expect(reason('constitution share WETH')).toMatchObject([{ line: 3 }])
    expect(reason('constitution maxDrawdownBps')).toMatchObject([{ line: 4 }])
    expect(reason('constitution approved')).toEqual([])
  })

  it('asks the owner to check an asset that it does not approve, and a drawdown beside a vault', () => {
    expect(compiled('Approved assets: USDC').ambiguities).toMatchObject([
      { question: expect.stringContaining('does not approve WETH'), outcome: 'check' },
    ])
    const vault = 'Deposit USDC into the vault, at most $20 each.'
    expect(compiled('Stop when the drawdown is 15%.', vault).ambiguities).toContainEqual(
      expect.objectContaining({ question: expect.stringContaining('counts as a loss'), outcome: 'check' }),
    )
  })

  it('is not an instruction: an amount per session is not the size of an action', () => {
    const { plan } = compiled('At most $10 per session.')
    expect(plan.sizeCents[0]).toBe(2_000n)
    expect(plan.sections.constitution?.perTxCents).toBe(1_000n)
  })

  it('joins the rules of golem.toml, and the narrower one counts', () => {
    const constitution = {
      rules: { maxDrawdownBps: 2_000, shareBps: { WETH: 5_000 } },
      from: { line: 7, sentence: '[constitution] of golem.toml' },
    }
    const { plan } = compileStrategy(`${swap}\n\nNever hold more than 30% in WETH.`, {
      now,
      symbols,
      constitution,
    })
    expect(plan.sections.constitution).toMatchObject({
      maxDrawdownBps: 2_000,
      shares: [
        { asset: 'USDC', bps: 10_000 },
        { asset: 'WETH', bps: 3_000 },
      ],
    })
    const because = plan.reasons.find(
      ({ permission }) => permission === 'constitution maxDrawdownBps',
    )?.because
    expect(because).toEqual([constitution.from])
  })

  it('puts the hash into the signed bytes, and nothing without a rule', () => {
    const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('1'), graceSeconds: 3_600 } as const
    const signed = (line: string) => cage.decode(cage.encode(toCageTerms(compiled(line).plan, book, subject)))
    const { constitution } = compiled('Never hold more than 30% in WETH.').plan.sections
    if (!constitution) throw new TypeError('no constitution')
    expect(signed('Never hold more than 30% in WETH.').constitution).toBe(
      hashConstitution(constitutionIn(constitution, book)),
    )
    expect(signed('Never bridge.').constitution).toBeUndefined()
  })
})

describe('a constitution', () => {
  const rules: ConstitutionRules = { shareBps: { WETH: 3_000 }, maxDrawdownBps: 1_500, perDayCents: 50_000n }
  const plan = completeRules(rules, ['USDC', 'WETH'])
  if (!plan) throw new TypeError('no plan')
  const address = (symbol: string) => book.assets.get(symbol)?.token ?? zeroAddress
  const name = (token: string) => symbols.find((symbol) => address(symbol) === token) ?? token

  it('sorts its assets, leaves out native currency, and reads back as it was', () => {
    const content = toConstitution({ ...plan, shares: [...plan.shares, { asset: 'ETH', bps: 1 }] }, address)
    expect(content.assets.map(({ asset }) => asset)).toEqual([at('7'), at('9')])
    const named = namedConstitution(content, name)
    expect(compareConstitutions(plan, named)).toEqual([])
  })

  it('is undefined without a limit, and a transaction is within its session and day', () => {
    expect(completeRules({}, ['USDC'])).toBeUndefined()
    expect(completeRules({ sessionSeconds: 60 }, ['USDC'])).toBeUndefined()
    expect(plan.perTxCents).toBe(50_000n)
  })

  it('is narrowed in every point', () => {
    const other = { approved: ['WETH'], shareBps: { WETH: 4_000 }, perSessionCents: 10n, sessionSeconds: 60 }
    expect(narrowRules(rules, other)).toEqual({
      approved: ['WETH'],
      shareBps: { WETH: 3_000 },
      maxDrawdownBps: 1_500,
      perDayCents: 50_000n,
      perSessionCents: 10n,
      sessionSeconds: 60,
    })
    expect(narrowRules({ approved: ['USDC', 'WETH'] }, { approved: ['WETH', 'WBTC'] })).toEqual({
      approved: ['WETH'],
    })
    expect(narrowRules({ sessionSeconds: 60 }, { sessionSeconds: 90 })).toEqual({ sessionSeconds: 90 })
  })

  it('says its rules, each limit once', () => {
    expect(constitutionSentences(plan).map(({ sentence }) => sentence)).toEqual([
      'Only USDC and WETH may move.',
      'It buys WETH only up to 30 % of the portfolio.',
      'At most $500 leaves your account in any 24 hours.',
      'It only closes positions while the portfolio is more than 15 % below its highest value.',
    ])
  })

  it('compares: less is narrower, another asset is wider, none at all is wider', () => {
    const directions = (after: ConstitutionPlan | undefined) =>
      compareConstitutions(plan, after).map(({ field, direction }) => `${field}: ${direction}`)
    expect(directions({ ...plan, maxDrawdownBps: 1_000 })).toEqual(['constitution drawdown: narrower'])
    expect(directions({ ...plan, shares: [...plan.shares, { asset: 'WBTC', bps: 0 }] })).toEqual([
      'constitution WBTC: wider',
    ])
    expect(directions({ ...plan, sessionSeconds: 60 })).toEqual(['constitution session: wider'])
    expect(directions(undefined)).toEqual(['constitution: wider'])
    expect(compareConstitutions(undefined, plan)).toMatchObject([{ direction: 'narrower' }])
  })

  it('refuses a number that PolicyCage cannot store, and names an asset without an address', () => {
    expect(() => toConstitution({ ...plan, maxDrawdownBps: 10_001 }, address)).toThrow('out of range')
    expect(() => toConstitution({ ...plan, sessionSeconds: 0 }, address)).toThrow('out of range')
    expect(() => toConstitution({ ...plan, perDayCents: noLimitCents + 1n }, address)).toThrow('out of range')
    const { plan: asked } = compiled('Never bridge.')
    const unknown = { ...asked, sections: { constitution: { ...plan, shares: [{ asset: 'UNI', bps: 1 }] } } }
    expect(missingAddresses(unknown, book)).toEqual(['an asset UNI'])
  })
})
