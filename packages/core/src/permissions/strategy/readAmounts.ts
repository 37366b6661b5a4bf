import { daySeconds } from '../planLimits.ts'
import type { Word } from './readSentences.ts'
import { countAt, smallest, spanFrom, startsWithDigit, unitSeconds } from './readTimes.ts'

const dollars = new Set(['usd', 'usdc', 'usdt', 'dai', 'dollar', 'dollars', 'bucks'])

/** An amount of dollars, and its period. */
export type Money = {
  readonly cents: bigint
  readonly at: number
  /** "per day" is 86,400; undefined if the amount is for one action. */
  readonly perSeconds: number | undefined
}

// More amounts than a real sentence has. A sentence with more is ignored.
const mostAmounts = 64
// More digits than any limit has; longer numbers are read as this one.
const mostDigits = 12

/** Amounts of dollars in a part of a sentence: "$1,000/day", "50 USDC a week", "$20". Fractions of cents are dropped. */
export function readMoney(words: readonly Word[]): Money[] {
  const amounts: Money[] = []
  for (const [at, { text, matters }] of words.entries()) {
    if (amounts.length === mostAmounts) return [...amounts, { cents: 0n, at, perSeconds: daySeconds }]
    const unit = words[at + 1]?.text ?? ''
    const spelled = dollars.has(unit) ? spelledCents(words, at) : undefined
    if (spelled !== undefined) {
      amounts.push({ cents: spelled, at, perSeconds: timeBehind(words, at + 2) })
      continue
    }
    // Only tokens that start with a digit or a dollar sign matter.
    if (!matters) continue
    const match = /^(\$?) ?([\d,]+)(?:\.(\d+))?([km]?)$/.exec(text)
    if (!match) continue
    const [, sign, whole = '0', fraction = '', suffix] = match
    if (!sign && !dollars.has(unit)) continue
    const digits = whole.replaceAll(',', '').slice(0, 40)
    const scale = suffix === 'k' ? 1_000n : suffix === 'm' ? 1_000_000n : 1n
    const units = digits.length > mostDigits ? 10n ** BigInt(mostDigits) : BigInt(digits)
    const small = BigInt(`${fraction.slice(0, 6).padEnd(6, '0')}`)
    const cents = ((units * 1_000_000n + small) * scale) / 10_000n / (isHalved(words, at) ? 2n : 1n)
    amounts.push({ cents, at, perSeconds: timeBehind(words, dollars.has(unit) ? at + 2 : at + 1) })
  }
  return amounts
}

/** An amount per day for a longer period, rounded down; a shorter period counts as a whole day. */
export function perDay(cents: bigint, perSeconds: number): bigint {
  return perSeconds > daySeconds ? (cents * BigInt(daySeconds)) / BigInt(Math.ceil(perSeconds)) : cents
}

/** "five dollars", "a hundred dollars", "half a dollar". */
function spelledCents(words: readonly Word[], at: number): bigint | undefined {
  // The number ends at this index: use the longest such number.
  for (const back of [3, 2, 1, 0]) {
    const from = at - back
    if (from < 0 || words[from - 1]?.text === 'point' || words[from]?.text === undefined) continue
    const count = countAt(words, from)
    if (count?.next !== at + 1 || /^\d/.test(words[from]?.text ?? '')) continue
    return BigInt(Math.floor(count.value * 100)) / (isHalved(words, from) ? 2n : 1n)
  }
  return undefined
}

/** "half of $100", "half $100". */
function isHalved(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.text
  return before === 'half' || (before === 'of' && words[at - 2]?.text === 'half')
}

function timeBehind(words: readonly Word[], from: number): number | undefined {
  return perSeconds(words, from) ?? perSecondsLater(words, from)
}

/** A period further behind: "$50 of USDC into WETH a day". The word before excludes "once a day". */
function perSecondsLater(words: readonly Word[], from: number): number | undefined {
  for (let at = from; at < words.length; at += 1) {
    const [before, word] = [words[at - 1]?.text ?? '', words[at]?.text ?? '']
    if (word.startsWith('$')) return undefined
    const seconds = /^(an?|per|\/|in|within)$/.test(word) ? spanFrom(words, at + 1)?.seconds : undefined
    if (seconds !== undefined && !/^(once|twice|times|trades?|swaps?|for|after|last)$/.test(before))
      return seconds
  }
  return undefined
}

function perSeconds(words: readonly Word[], from: number): number | undefined {
  const first = words[from]?.text ?? ''
  if (/^(\/|per|an?|each|every|in|within|over|for|this)$/.test(first))
    return spanFrom(words, from + 1)?.seconds
  return /ly$/.test(first) ? unitSeconds(first) : undefined
}

/** "0.5%", "1 %", "50 bps" as basis points, rounded down. The smallest of them. */
export function readBps(words: readonly Word[]): number | undefined {
  return smallest(words.flatMap((_, at) => bpsAt(words, at) ?? []))
}

/** The share that starts at this index, in basis points. */
export function bpsAt(words: readonly Word[], at: number): number | undefined {
  const text = words[at]?.text ?? ''
  const number = startsWithDigit(text) ? /^(\d{1,6})(?:\.(\d{1,9}))?( ?%)?$/.exec(text) : null
  if (!number) return undefined
  const value = Number(`${number[1]}.${number[2] ?? 0}`)
  const unit = words[at + 1]?.text ?? ''
  if (number[3] || /^(percent|per-cent|pct)$/.test(unit)) return Math.floor(value * 100 + 1e-9)
  return /^(bps|bp|basis)$/.test(unit) ? Math.floor(value) : undefined
}
