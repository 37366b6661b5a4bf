import { daySeconds } from '../planLimits.ts'
import type { Word } from './readSentences.ts'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const units: ReadonlyMap<string, number> = new Map([
  ['minute', 60],
  ['minutes', 60],
  ['min', 60],
  ['hour', 3_600],
  ['hours', 3_600],
  ['hourly', 3_600],
  ['h', 3_600],
  ['hr', 3_600],
  ['hrs', 3_600],
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
  ['biweekly', 14 * daySeconds],
  ['bi-weekly', 14 * daySeconds],
  ['quarter', 90 * daySeconds],
  ['quarterly', 90 * daySeconds],
  ['year', 365 * daySeconds],
  ['years', 365 * daySeconds],
  ['yearly', 365 * daySeconds],
  ['annually', 365 * daySeconds],
  ...weekdays.flatMap((day): [string, number][] => [
    [day, 7 * daySeconds],
    [`${day}s`, 7 * daySeconds],
  ]),
])
const dollars = new Set(['usd', 'usdc', 'usdt', 'dai', 'dollar', 'dollars', 'bucks'])

const numbers: ReadonlyMap<string, number> = new Map(
  Object.entries({
    one: 1,
    a: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
  }),
)
const roundNumbers: ReadonlyMap<string, bigint> = new Map([
  ['twenty', 20n],
  ['fifty', 50n],
  ['hundred', 100n],
  ['thousand', 1_000n],
])

/** A small number in digits or in letters. */
function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : numbers.get(text ?? '')
}

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

// More amounts than a sentence has. Nobody reads such a one, so that it is taken as nothing at all.
const mostAmounts = 64
// More digits than any limit has; longer numbers are read as this one.
const mostDigits = 12

/** Amounts of dollars in a part of a sentence: "$1,000/day", "50 USDC a week", "$20". Fractions of cents are dropped. */
export function readMoney(words: readonly Word[]): Money[] {
  const found: Money[] = []
  for (const [at, { text, matters }] of words.entries()) {
    if (found.length === mostAmounts) return [...found, { cents: 0n, at, perSeconds: daySeconds }]
    const unit = words[at + 1]?.text ?? ''
    const spelled = dollars.has(unit) ? spelledCents(words, at) : undefined
    if (spelled !== undefined) {
      found.push({ cents: spelled, at, perSeconds: timeBehind(words, at + 2) })
      continue
    }
    // What begins with a digit or a dollar matters.
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
    found.push({ cents, at, perSeconds: timeBehind(words, dollars.has(unit) ? at + 2 : at + 1) })
  }
  return found
}

/** What an amount for a longer time comes to in a day, rounded down; for a shorter one it is the day's as it is. */
export function perDay(cents: bigint, perSeconds: number): bigint {
  return perSeconds > daySeconds ? (cents * BigInt(daySeconds)) / BigInt(perSeconds) : cents
}

/** "five dollars", "a hundred dollars". */
function spelledCents(words: readonly Word[], at: number): bigint | undefined {
  const [text, before] = [words[at]?.text ?? '', words[at - 1]?.text]
  if (before === 'point') return undefined
  const round = roundNumbers.get(text)
  if (round !== undefined)
    return (round * 100n * BigInt(countOf(before) ?? 1)) / (words[at - 2]?.text === 'half' ? 2n : 1n)
  const small = numbers.get(text)
  return small === undefined ? undefined : BigInt(small) * 100n
}

/** "half of $100", "half $100". */
function isHalved(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.text
  return before === 'half' || (before === 'of' && words[at - 2]?.text === 'half')
}

function timeBehind(words: readonly Word[], from: number): number | undefined {
  return perSeconds(words, from) ?? perSecondsLater(words, from)
}

/** A time further behind: "$50 of USDC into WETH a day". The word before tells "once a day" from it. */
function perSecondsLater(words: readonly Word[], from: number): number | undefined {
  for (let at = from; at < words.length; at += 1) {
    const [before, word] = [words[at - 1]?.text ?? '', words[at]?.text ?? '']
    if (word.startsWith('$')) return undefined
    const seconds = /^(a|per|\/|in|within)$/.test(word) ? spanAt(words, at + 1) : undefined
    if (seconds !== undefined && !/^(once|twice|times|trades?|swaps?)$/.test(before)) return seconds
  }
  return undefined
}

function perSeconds(words: readonly Word[], from: number): number | undefined {
  const first = words[from]?.text ?? ''
  if (/^(\/|per|a|each|every|in|within|over|for|this)$/.test(first)) return spanAt(words, from + 1)
  return /ly$/.test(first) ? unitSeconds(first) : undefined
}

/** "day", "24 hours", "any 7 days", "the next two weeks", "other day", from this place on. */
function spanAt(words: readonly Word[], from: number): number | undefined {
  let at = from
  while (/^(any|the|each|every|next|rolling|coming|whole)$/.test(words[at]?.text ?? '')) at += 1
  const text = words[at]?.text
  if (text === 'other') return times(unitSeconds(words[at + 1]?.text), 2)
  const count = countOf(text)
  if (count === undefined) return unitSeconds(text)
  return count > 0 ? times(unitSeconds(words[at + 1]?.text), count) : undefined
}

/** How often something is done: "weekly", "every day", "every 6 hours", "each Monday", "twice a day". The most often one. */
export function readCadence(words: readonly Word[]): number | undefined {
  const found = readCadences(words)
  return found.reduce<number | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
}

/** Every cadence that is named. */
export function readCadences(words: readonly Word[]): readonly number[] {
  const found: number[] = []
  const take = (seconds: number | undefined) => {
    if (seconds !== undefined) found.push(seconds)
  }
  for (const [index, { text }] of words.entries()) {
    const [next, after] = [words[index + 1]?.text, words[index + 2]?.text]
    if (/ly$/.test(text) || (/days$/.test(text) && words[index - 1]?.text === 'on')) take(unitSeconds(text))
    if (text === 'every' || text === 'each') take(spanAt(words, index + 1))
    if (text === 'times') {
      const count = countOf(words[index - 1]?.text)
      const seconds = spanAt(words, /^(a|per|each|every)$/.test(next ?? '') ? index + 2 : index + 1)
      take(seconds === undefined || !count ? undefined : Math.ceil(seconds / count))
    }
    if (text === 'once' || text === 'twice') {
      const seconds = unitSeconds(/^(a|per|each|every)$/.test(next ?? '') ? after : next)
      take(text === 'once' || seconds === undefined ? seconds : seconds / 2)
    }
  }
  return found
}

function times(seconds: number | undefined, count: number): number | undefined {
  return seconds === undefined ? undefined : seconds * count
}

/** A span such as "30 days" or "two weeks", anywhere in the words. The shortest one. */
export function readSpan(words: readonly Word[]): number | undefined {
  let shortest: number | undefined
  for (const [index, { text }] of words.entries()) {
    const seconds = times(unitSeconds(words[index + 1]?.text), countOf(text) ?? 0)
    if (seconds && (shortest === undefined || seconds < shortest)) shortest = seconds
  }
  return shortest
}

/** "0.5%", "1 %", "50 bps" as basis points, rounded down. The least of them. */
export function readBps(words: readonly Word[]): number | undefined {
  const found = words.flatMap(({ text }, index) => {
    const number = /^(\d{1,6})(?:\.(\d{1,9}))?(%?)$/.exec(text)
    if (!number) return []
    const value = Number(`${number[1]}.${number[2] ?? 0}`)
    const unit = words[index + 1]?.text ?? ''
    if (number[3] || unit === 'percent') return [Math.floor(value * 100 + 1e-9)]
    return /^(bps|bp|basis)$/.test(unit) ? [Math.floor(value)] : []
  })
  return found.reduce<number | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
}
