import {
  type AddressBook,
  type CageTerms,
  cage,
  compileStrategy,
  defaultFloor,
  mostInADay,
  settlePlan,
  toCageTerms,
} from '@bardo/core'
import { signedStrategies } from '@bardo/core/testing/strategies'
import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { compiledText } from '../commands/compile.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { compiledJson } from './compiledJson.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const symbols = ['USDC', 'WBTC', 'WETH']
const book: AddressBook = {
  assets: new Map(
    symbols.map((symbol, position) => [
      symbol,
      { token: at(`${position + 1}`), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
    ]),
  ),
  pools: new Map([['USDC/WETH', at('6')]]),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter02: at('5'), positionManager: at('7') },
  native: { token: zeroAddress, feed: zeroAddress, maxAgeSeconds: 0, scale: 26 },
}
const subject = {
  golem: `0x${'ab'.repeat(32)}`,
  account: at('9'),
  graceSeconds: 3_600,
  floors: [defaultFloor(at('4'), 10n ** 18n)],
} as const

const shownFor = (text: string) => {
  const stated = compileStrategy(text, { now: 1_800_000_000n, symbols })
  const moment = { portfolioCents: 1_000_000n, nativeCents: 300_000n }
  const compiled = { ...stated, plan: settlePlan(stated.plan, moment) }
  const shown = compiledJson(compiled)
  const terms = shown.grants ? cage.decode(cage.encode(toCageTerms(compiled.plan, book, subject))) : undefined
  return { shown, terms }
}

const money = (cents: bigint | number) =>
  (Number(cents) / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const spanOf = (text: string) =>
  [...text.matchAll(/(?:(\d+) )?(day|hour|minute|second)s?/g)].reduce(
    (sum, [, many, unit]) =>
      sum + Number(many ?? 1) * { day: 86_400, hour: 3_600, minute: 60, second: 1 }[unit as 'day'],
    0,
  )

const [addLiquidityBit, removeLiquidityBit] = [2, 4]

function hasPool({ mandate }: CageTerms): boolean {
  return ['6', '7'].every((digit) => mandate.targets.some(({ address }) => address === at(digit)))
}

/** Whether a sentence matches the signed bytes. An unknown sentence does not. */
function isSigned(sentence: string, terms: CageTerms): boolean {
  const { assets } = terms.mandate
  const symbolAt = (position: number) =>
    symbols.find((name) => book.assets.get(name)?.token === assets[position]?.token)
  const context = (symbol = '') => assets.findIndex((_, index) => symbolAt(index) === symbol)
  const has = (bit: number) => (terms.classes & (1 << bit)) !== 0
  const [thriving, stable, conservation, declining, terminal] = terms.dollarsByPhase
  const readers: readonly (readonly [RegExp, (...parts: string[]) => boolean])[] = [
    [
      /^It may swap (\w+) for (\w+) on Uniswap V3(?:; it does so only when it winds down)?\.$/,
      (from, to) => ((terms.pairs >> BigInt(8 * context(from) + context(to))) & 1n) === 1n,
    ],
    [/^It may deposit (\w+) into the vault\.$/, (asset) => asset === 'USDC' && has(depositBit)],
    [
      /^It may withdraw (\w+) from the vault to your account\.$/,
      (asset) => asset === 'USDC' && has(withdrawBit),
    ],
    [
      /^If the vault returns less than 99 % of today’s rate in (\w+), the difference counts as spent: at most (\S+) in any 24 hours\.$/,
      (asset, most) =>
        asset === 'USDC' &&
        most === money(terms.dayCents) &&
        terms.floors?.length === 1 &&
        terms.floors[0]?.vault === at('4') &&
        terms.floors[0].floor === 990_000_000_000_000_000n,
    ],
    [/^It may provide liquidity for USDC and WETH\.$/, () => has(addLiquidityBit) && hasPool(terms)],
    [
      /^It may withdraw liquidity of USDC and WETH to your account\.$/,
      () => has(removeLiquidityBit) && hasPool(terms),
    ],
    // The range is in the text, to which the root's salt commits.
    [
      /^It opens its position in the pool, from 10 % below to 10 % above the price, /,
      () => has(addLiquidityBit),
    ],
    // The class is in the terms; its numbers are in the text, to which the root's salt commits.
    [/^It may have \d+ child Golems? \(Replicants?\) .* within its own limits\./, () => has(spawnBit)],
    [
      /^At most (\S+) leaves your account in any 24 hours(?:, without gas)?\.$/,
      (most) =>
        most ===
        money(
          mostInADay({ ...terms, gas: undefined, floors: undefined, sizeCents: BigInt(thriving) * 100n }),
        ),
    ],
    [
      /^One action moves at most (\S+) while it is Thriving, (\S+) while Stable, and nothing after that\.$/,
      (first, second) =>
        first === money(thriving * 100) &&
        second === (stable === 0 ? 'nothing' : money(stable * 100)) &&
        conservation + declining + terminal === 0,
    ],
    [
      /^One action moves at most (\S+) while it is Thriving, (\S+) while Stable, and after that (\S+), into (\w+) only\.$/,
      (first, second, third, asset) =>
        first === money(thriving * 100) &&
        second === (stable === 0 ? 'nothing' : money(stable * 100)) &&
        third === money(conservation * 100) &&
        conservation === declining &&
        terminal === 0 &&
        terms.settlement === context(asset),
    ],
    [/^It acts at most once every (.*)\.$/, (span = '') => spanOf(span) === terms.cadenceSeconds],
    [/^It acts only once in total\.$/, () => terms.calls === 1],
    [/^It acts at most (\d+) times in total\.$/, (many) => terms.calls === Number(many)],
    [
      /^One action moves at most (\S+) % of what the USDC vault holds\.$/,
      (percent) => terms.nav?.bps === Math.round(Number(percent) * 100) && terms.nav.vault === at('4'),
    ],
    [
      /^A swap loses at most (\S+) % against the price feeds\.$/,
      (percent) => terms.slippageBps === Math.round(Number(percent) * 100),
    ],
    [
      /^At most (\S+) leaves your account in any (.*)\.$/,
      (most, span = '') =>
        terms.totals?.some(
          ({ periodSeconds, cents }) => periodSeconds === spanOf(span) && money(cents) === most,
        ) === true,
    ],
    [
      /^At most (\S+) leaves your account over its whole life, however often you feed it\.$/,
      (most) => terms.totals?.[0]?.periodSeconds === 0 && money(terms.totals[0].cents) === most,
    ],
    [
      /^It opens positions only while its (.*)\. Closing them never depends on its mood\.$/,
      (bounds = '') => {
        const number = (axis: string, open: number) =>
          Number(new RegExp(`${axis} is at (?:least|most) (-?\\d+)`).exec(bounds)?.[1] ?? open)
        const { minPleasure, maxArousal, minDominance } = terms.mood
        // Swaps, added liquidity and deposits, as far as they are signed.
        return (
          terms.restricted === (terms.classes & 0b1101) &&
          number('pleasure', -128) === minPleasure &&
          number('arousal', 127) === maxArousal &&
          number('dominance', -128) === minDominance
        )
      },
    ],
    [/^Mood does not limit its actions\.$/, () => terms.restricted === 0],
    [
      /^Its key may draw at most (\S+) ETH from your account for gas in any 24 hours, within the limits in dollars\.$/,
      (ether) => terms.gas?.microEtherPerDay === BigInt(Math.round(Number(ether) * 1e6)) && has(gasBit),
    ],
    [/^It expires after (.*)\.$/, (span = '') => spanOf(span) === terms.end - terms.start],
    [
      /^Everything it buys or withdraws goes to your account and nowhere else\.$/,
      () => terms.mandate.account === at('9') && terms.mandate.payees.length === 0,
    ],
  ]
  for (const [pattern, reads] of readers) {
    const match = pattern.exec(sentence)
    if (match) return reads(...match.slice(1))
  }
  return false
}
// The bit numbers of the action classes in the contract.
const [depositBit, withdrawBit, spawnBit, gasBit] = [3, 5, 7, 12]

describe('every shown sentence matches the signed bytes', () => {
  test.for(signedStrategies.map(({ text }) => [text] as const))('%j', ([text]) => {
    const { shown, terms } = shownFor(text)
    if (!terms) return expect(shown.permissions).toEqual([])
    const sentences = shown.permissions.map(({ sentence }) => sentence)
    expect(sentences.filter((sentence) => !isSigned(sentence, terms))).toEqual([])
    // And every signed limit has a sentence.
    const says = (start: string) => sentences.filter((sentence) => sentence.startsWith(start)).length
    expect([
      says('It may swap'),
      sentences.filter((one) => /leaves your account in any 24 hours(?:, without gas)?\.$/.test(one)).length,
      says('It opens positions'),
      says('Its key may draw'),
      says('It acts at most once every'),
      says('It acts only once in total') + sentences.filter((one) => one.endsWith('times in total.')).length,
      says('It expires after'),
      sentences.filter((one) => one.includes('vault holds')).length,
    ]).toEqual([
      [...terms.pairs.toString(2)].filter((bit) => bit === '1').length,
      1,
      terms.restricted > 0 ? 1 : 0,
      terms.gas ? 1 : 0,
      terms.cadenceSeconds > 0 ? 1 : 0,
      terms.calls > 0 ? 1 : 0,
      1,
      terms.nav ? 1 : 0,
    ])
  })
})

const plainOf = (text: string) => text.replace(/[`*|]/g, ' ').replace(/\s+/g, ' ').trim()

describe('every reason quotes a sentence of the strategy with its line, and a default quotes none', () => {
  test.for(signedStrategies.map((strategy) => [strategy.text, strategy] as const))(
    '%j',
    ([text, { expected }]) => {
      const { shown } = shownFor(text)
      const lines = text.split('\n')
      for (const { sentence, because, isDefault } of shown.permissions) {
        expect([sentence, isDefault && because.length > 0]).toEqual([sentence, false])
        for (const { line, sentence: quoted } of because) {
          // A table cell is quoted with the name of its column.
          const number = /\d[\d,.]*/.exec(quoted)?.[0] ?? ''
          const here = plainOf(lines.slice(line - 1).join(' '))
          expect(
            here.startsWith(plainOf(quoted)) || here.includes(plainOf(quoted)) || here.includes(number),
          ).toBe(true)
        }
      }
      if (expected === 'nothing') return
      const isDefault = (start: string) =>
        shown.permissions.find(({ sentence }) => sentence.startsWith(start))?.isDefault
      const stated = (start: string, isStated: boolean) => {
        if (isStated) expect([start, isDefault(start)]).toEqual([start, false])
      }
      stated('It expires after', expected.lifeDays !== 7)
      stated('It acts', expected.every > 0 || expected.calls > 0)
      stated('A swap loses', expected.slippageBps !== 100 && expected.pairs.length > 0)
    },
  )
})

test('marks a default as a default, without a quote', () => {
  const { shown } = shownFor('Swap USDC to WETH every hour.')
  const defaults = shown.permissions.filter(({ isDefault }) => isDefault).map(({ sentence }) => sentence)
  expect(defaults).toEqual([
    'At most $100.00 leaves your account in any 24 hours, without gas.',
    'One action moves at most $100.00 while it is Thriving, $66.00 while Stable, and nothing after that.',
    'A swap loses at most 1 % against the price feeds.',
    'It opens positions only while its pleasure is at least -90, its arousal is at most 90, its dominance is at least -90. Closing them never depends on its mood.',
    'Its key may draw at most 0.003333 ETH from your account for gas in any 24 hours, within the limits in dollars.',
    'It expires after 7 days.',
  ])
})

test('quotes for each number the line that states it', () => {
  const { shown } = shownFor(
    'Swap USDC to WETH daily.\n\nbudget: $60/day\nat most $10 per trade\nslippage: 2%\nRun for two weeks, then stop.',
  )
  const line = (start: string) =>
    shown.permissions.find(({ sentence }) => sentence.startsWith(start))?.because.map((one) => one.line)
  expect([
    line('It may swap'),
    line('It acts'),
    line('One action'),
    line('A swap loses'),
    line('It expires'),
  ]).toEqual([[1], [1], [4], [5], [6]])
})

test('shows each unclear sentence under a heading that is true of it', () => {
  const text = [
    'DCA 10 USDC into WETH daily. Sell WETH to USDC. Bridge USDC to Arbitrum.',
    'Hold at least 30% in USDC. Be careful.',
    'slippage: 0.5%',
  ].join('\n\n')
  const compiled = {
    ...shownFor(text).shown,
    exposure: null,
    together: null,
    bounds: null,
    against: null,
    constitution: [],
    changes: [],
    day: null,
    missing: [],
    addresses: [],
    dropped: [],
    children: [],
  }
  const stream = { write: () => true, columns: 100 }
  const terminal = createTerminal({ stdin: {}, stdout: stream, stderr: stream, env: {}, isPlain: true })
  const shown = compiledText(compiled, terminal)
  const parts = shown.split('\n\n').map((part) => part.replace(/\s+/g, ' '))
  const below = (heading: string) => parts.find((part) => part.startsWith(heading)) ?? ''
  expect(below('Not granted:')).toContain('Bardo cannot bridge yet')
  expect(below('Unclear, so the narrowest reading is used:')).toContain(
    'All actions share one size and one interval',
  )
  expect(below('Not signed, so the chain does not check it:')).toContain(
    'line 3: “Hold at least 30% in USDC.”',
  )
  expect(below('Please check:')).toContain('Swaps may be refused')
  expect(below('These sentences have no effect:')).toContain('line 3: “Be careful.”')
  expect(shown).toContain('At most $10.00 leaves your account in any 24 hours, without gas.')
  expect(shown).toContain('default: the strategy does not state it')
  for (const { outcome, question } of compiled.questions)
    expect(
      below(
        { notGranted: 'Not granted:', narrowed: 'Unclear, so', notSigned: 'Not signed', check: 'Please' }[
          outcome
        ],
      ),
    ).toContain(question)
})
