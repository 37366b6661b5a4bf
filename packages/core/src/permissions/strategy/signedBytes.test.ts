import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CageTerms } from '../../caveats/cage/cageTerms.ts'
import { hasPair } from '../../caveats/cage/cageTerms.ts'
import { mostInADay } from '../../caveats/cage/mostInADay.ts'
import { cage } from '../../caveats/cage.ts'
import { classBits, classNames } from '../../caveats/execution/actionClass.ts'
import { type AddressBook, toCageTerms } from '../toCageTerms.ts'
import { compileStrategy } from './compileStrategy.ts'
import { plainStrategies } from './testing/plainStrategies.ts'
import type { Expected, SignedStrategy } from './testing/signedStrategy.ts'
import { trapStrategies } from './testing/trapStrategies.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const symbols = ['USDC', 'WBTC', 'WETH'] as const
const book: AddressBook = {
  assets: new Map(
    symbols.map((symbol, place) => [
      symbol,
      { token: at(`${place + 1}`), feed: zeroAddress, maxAgeSeconds: 0, scale: 14 },
    ]),
  ),
  pools: new Map([['USDC/WETH', at('6')]]),
  vaults: new Map([['USDC', at('4')]]),
  contracts: { swapRouter02: at('5'), positionManager: at('7') },
}
const subject = { golem: `0x${'ab'.repeat(32)}`, account: at('9'), graceSeconds: 3_600 } as const
const now = 1_800_000_000n

/** The content of the bytes that the owner signs. */
function signedFor(text: string): CageTerms {
  const { plan } = compileStrategy(text, { now, symbols })
  return cage.decode(cage.encode(toCageTerms(plan, book, subject)))
}

function toldFor(text: string): string[] {
  const { ambiguities, setNothing } = compileStrategy(text, { now, symbols })
  return [
    ...ambiguities.map(({ question }) => question),
    ...setNothing.map(({ sentence }) => sentence),
    ...ambiguities.filter(({ outcome }) => outcome === 'notSigned').map(({ sentence }) => sentence),
  ]
}

function summaryOf(terms: CageTerms): Omit<Expected, 'notices'> {
  const { classes, dollarsByPhase, mandate, nav } = terms
  const symbolAt = (place: number) =>
    symbols.find((symbol) => book.assets.get(symbol)?.token === mandate.assets[place]?.token)
  const places = mandate.assets.map((_, place) => place)
  return {
    pairs: places.flatMap((from) =>
      places.flatMap((to) => (hasPair(terms.pairs, from, to) ? [`${symbolAt(from)}>${symbolAt(to)}`] : [])),
    ),
    does: classNames.filter((name) => (classes & classBits[name]) !== 0 && !/approve$/.test(name)),
    inADay: Number(mostInADay({ ...terms, sizeCents: BigInt(Math.max(...dollarsByPhase)) * 100n })) / 100,
    size: dollarsByPhase[0],
    every: terms.cadenceSeconds,
    calls: terms.calls,
    lifeDays: (terms.end - terms.start) / 86_400,
    slippageBps: terms.slippageBps,
    totals: (terms.totals ?? []).map(({ periodSeconds, cents }) => [periodSeconds, Number(cents) / 100]),
    mood:
      terms.restricted === 0
        ? undefined
        : [terms.mood.minPleasure, terms.mood.maxArousal, terms.mood.minDominance],
    vaultBps: nav?.bps,
  }
}

const check = ({ text, expected, notices }: SignedStrategy) => {
  if (expected === 'nothing') expect(compileStrategy(text, { now, symbols }).plan.classes).toEqual([])
  else {
    const { notices: _, ...numbers } = expected
    expect(summaryOf(signedFor(text))).toEqual(numbers)
  }
  const all = toldFor(text)
  for (const part of notices) expect(all).toContainEqual(expect.stringContaining(part))
}

test('the tables have at least 150 distinct strategies, half of them traps', () => {
  const texts = [...plainStrategies, ...trapStrategies].map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.length).toBeGreaterThanOrEqual(150)
  expect(trapStrategies.length * 2).toBeGreaterThanOrEqual(texts.length)
})

describe('the signed bytes contain what the owner states', () => {
  test.for(plainStrategies.map((strategy) => [strategy.text, strategy] as const))('%j', ([, strategy]) =>
    check(strategy),
  )
})

describe('the signed bytes allow no more than the owner states, and the rest is reported', () => {
  test.for(trapStrategies.map((strategy) => [strategy.text, strategy] as const))('%j', ([, strategy]) =>
    check(strategy),
  )
})
