import { daySeconds } from '../planLimits.ts'
import type { Word } from './readSentences.ts'

const units: ReadonlyMap<string, number> = new Map([
  ['hour', 3_600],
  ['hours', 3_600],
  ['hourly', 3_600],
  ['h', 3_600],
  ['hr', 3_600],
  ['day', daySeconds],
  ['days', daySeconds],
  ['daily', daySeconds],
  ['d', daySeconds],
  ['week', 7 * daySeconds],
  ['weeks', 7 * daySeconds],
  ['weekly', 7 * daySeconds],
  ['fortnightly', 14 * daySeconds],
  ['fortnight', 14 * daySeconds],
  ['month', 30 * daySeconds],
  ['months', 30 * daySeconds],
  ['monthly', 30 * daySeconds],
  ['monday', 7 * daySeconds],
  ['tuesday', 7 * daySeconds],
  ['wednesday', 7 * daySeconds],
  ['thursday', 7 * daySeconds],
  ['friday', 7 * daySeconds],
  ['saturday', 7 * daySeconds],
  ['sunday', 7 * daySeconds],
])
const dollars = new Set(['usd', 'usdc', 'usdt', 'dai', 'dollar', 'dollars', 'bucks'])

/** Seconds that a word for a time stands for. */
export function unitSeconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : units.get(text)
}

/** An amount of dollars, and the time it is for. */
export type Money = {
  readonly cents: bigint
  readonly at: number
  /** "per day" is 86,400; without such a word it is for one action. */
  readonly perSeconds: number | undefined
}

// More digits than any limit has; longer numbers are read as this one.
const mostDigits = 12

/** Amounts of dollars in a part of a sentence: "$1,000/day", "50 USDC a week", "$20". Fractions of cents are dropped. */
export function readMoney(words: readonly Word[]): Money[] {
  const found: Money[] = []
  for (const [at, { text, matters }] of words.entries()) {
    // What begins with a digit or a dollar matters.
    if (!matters) continue
    const match = /^(\$?) ?([\d,]+)(?:\.(\d+))?([km]?)$/.exec(text)
    if (!match) continue
    const [, sign, whole = '0', fraction = '', suffix] = match
    const unit = words[at + 1]?.text ?? ''
    if (!sign && !dollars.has(unit)) continue
    const digits = whole.replaceAll(',', '').slice(0, 40)
    const scale = suffix === 'k' ? 1_000n : suffix === 'm' ? 1_000_000n : 1n
    const units = digits.length > mostDigits ? 10n ** BigInt(mostDigits) : BigInt(digits)
    const small = BigInt(`${fraction.slice(0, 6).padEnd(6, '0')}`)
    const cents = ((units * 1_000_000n + small) * scale) / 10_000n
    const behind = dollars.has(unit) ? at + 2 : at + 1
    found.push({ cents, at, perSeconds: perSeconds(words, behind) ?? perSecondsLater(words, behind) })
  }
  return found
}

/** A time further behind: "$50 of USDC into WETH a day". The word before tells "once a day" from it. */
function perSecondsLater(words: readonly Word[], from: number): number | undefined {
  for (let at = from; at < words.length; at += 1) {
    const [before, word, next] = [words[at - 1]?.text ?? '', words[at]?.text ?? '', words[at + 1]?.text]
    if (word.startsWith('$')) return undefined
    const seconds = /^(a|per|\/)$/.test(word) ? unitSeconds(next) : undefined
    if (seconds !== undefined && !/^(once|twice|times)$/.test(before)) return seconds
  }
  return undefined
}

function perSeconds(words: readonly Word[], from: number): number | undefined {
  const [first, second, third] = [words[from]?.text, words[from + 1]?.text, words[from + 2]?.text]
  if (first === '/' || first === 'per' || first === 'a' || first === 'each' || first === 'every')
    return unitSeconds(second)
  if (first === 'of' && unitSeconds(third) === undefined) return undefined
  return /ly$/.test(first ?? '') ? unitSeconds(first) : undefined
}

/** How often something is done: "weekly", "every day", "every 6 hours", "each Monday", "twice a day". The most often one. */
export function readCadence(words: readonly Word[]): number | undefined {
  let shortest: number | undefined
  const take = (seconds: number | undefined) => {
    if (seconds !== undefined && (shortest === undefined || seconds < shortest)) shortest = seconds
  }
  for (const [index, { text }] of words.entries()) {
    const [next, after] = [words[index + 1]?.text, words[index + 2]?.text]
    if (/^(hourly|daily|weekly|fortnightly|monthly)$/.test(text)) take(unitSeconds(text))
    if (text === 'every' || text === 'each') {
      const count = /^\d{1,4}$/.test(next ?? '') ? Number(next) : undefined
      if (next === 'other') take(doubled(unitSeconds(after)))
      else if (count === undefined) take(unitSeconds(next))
      else if (count > 0) take(times(unitSeconds(after), count))
    }
    if (text === 'once' || text === 'twice') {
      const seconds = unitSeconds(/^(a|per|each|every)$/.test(next ?? '') ? after : next)
      take(text === 'once' || seconds === undefined ? seconds : seconds / 2)
    }
  }
  return shortest
}

function times(seconds: number | undefined, count: number): number | undefined {
  return seconds === undefined ? undefined : seconds * count
}

function doubled(seconds: number | undefined): number | undefined {
  return times(seconds, 2)
}

/** A span such as "30 days" or "two weeks", anywhere in the words. The shortest one. */
export function readSpan(words: readonly Word[]): number | undefined {
  const numbers: Record<string, number> = { one: 1, a: 1, two: 2, three: 3, four: 4, six: 6 }
  let shortest: number | undefined
  for (const [index, { text }] of words.entries()) {
    const count = /^\d{1,5}$/.test(text)
      ? Number(text)
      : Object.hasOwn(numbers, text)
        ? numbers[text]
        : undefined
    const seconds = times(unitSeconds(words[index + 1]?.text), count ?? 0)
    if (seconds && (shortest === undefined || seconds < shortest)) shortest = seconds
  }
  return shortest
}

/** "0.5%", "1 %", "50 bps" as basis points, rounded down. */
export function readBps(words: readonly Word[]): number | undefined {
  for (const [index, { text }] of words.entries()) {
    const number = /^(\d{1,6})(?:\.(\d{1,9}))?(%?)$/.exec(text)
    if (!number) continue
    const value = Number(`${number[1]}.${number[2] ?? 0}`)
    const unit = words[index + 1]?.text ?? ''
    if (number[3] || unit === 'percent') return Math.floor(value * 100 + 1e-9)
    if (/^(bps|bp|basis)$/.test(unit)) return Math.floor(value)
  }
  return undefined
}
