import { daySeconds } from '../planLimits.ts'
import { wordSet } from './lexicon.ts'
import type { Word } from './readSentences.ts'

/** Seconds of a unit: as an interval or a budget period, and as a lifetime. */
type Unit = { readonly long: number; readonly short: number }

const exact = (seconds: number): Unit => ({ long: seconds, short: seconds })
// A calendar month has up to 31 days: a limit for a month applies to each of them. A lifetime of a month is
// 30 days.
const month: Unit = { long: 31 * daySeconds, short: 30 * daySeconds }
const quarter: Unit = { long: 92 * daySeconds, short: 90 * daySeconds }
const year: Unit = { long: 366 * daySeconds, short: 365 * daySeconds }

const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ['second seconds sec secs s', exact(1)],
      ['minute minutes min mins', exact(60)],
      ['hour hours hourly h hr hrs', exact(3_600)],
      ['day days daily d', exact(daySeconds)],
      ['week weeks weekly wk wks w', exact(7 * daySeconds)],
      ['fortnight fortnights fortnightly biweekly bi-weekly', exact(14 * daySeconds)],
      ['month months monthly mo', month],
      ['quarter quarters quarterly', quarter],
      ['year years yearly annually yr yrs', year],
      ['monday tuesday wednesday thursday friday saturday sunday', exact(7 * daySeconds)],
      ['mondays tuesdays wednesdays thursdays fridays saturdays sundays', exact(7 * daySeconds)],
    ] as const
  ).flatMap(([names, unit]) => names.split(' ').map((name): [string, Unit] => [name, unit])),
)

const small: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((name, index): [string, number] => [name, index + 1]),
)
const tens: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((name, index): [string, number] => [name, 10 * (index + 2)]),
)
const groups: ReadonlyMap<string, number> = new Map([
  ['couple', 2],
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1_000],
])

/** A number and the index after it. */
type Count = { readonly value: number; readonly next: number }

/** A number in digits or words that starts at this index: "14", "1.5", "twenty-five", "a dozen", "half a". */
export function countAt(words: readonly Word[], at: number): Count | undefined {
  const text = words[at]?.text
  if (text === undefined) return undefined
  if (startsWithDigit(text))
    return /^\d{1,5}(\.\d{1,6})?$/.test(text) ? { value: Number(text), next: at + 1 } : undefined
  if (text === 'half' && isArticle(words[at + 1]?.text)) {
    const group = groups.get(words[at + 2]?.text ?? '')
    return group ? { value: group / 2, next: at + 3 } : { value: 0.5, next: at + 2 }
  }
  const first = isArticle(text) ? 1 : spelled(text)
  const alone = groups.get(text)
  if (alone !== undefined) return { value: alone, next: behindOf(words, at + 1) }
  if (first === undefined) return undefined
  const next = words[at + 1]?.text ?? ''
  const group = groups.get(next)
  if (group !== undefined) return { value: first * group, next: behindOf(words, at + 2) }
  const ones = tens.has(text) ? small.get(next) : undefined
  if (ones !== undefined && ones < 10) return { value: first + ones, next: at + 2 }
  return { value: first, next: at + 1 }
}

/** Whether a word is a number in digits, or starts like one. */
export function startsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0)
  return code >= 48 && code <= 57
}

function isArticle(text: string | undefined): boolean {
  return text === 'a' || text === 'an'
}

/** "a couple of". */
function behindOf(words: readonly Word[], at: number): number {
  return words[at]?.text === 'of' ? at + 1 : at
}

/** "five", "twenty", "twenty-five". */
function spelled(text: string): number | undefined {
  if (!text.includes('-')) return small.get(text) ?? tens.get(text)
  const [ten = '', one = ''] = text.split('-')
  const sum = (tens.get(ten) ?? 0) + (small.get(one) ?? 0)
  return tens.has(ten) && (one === '' || small.has(one)) ? sum : undefined
}

/** The seconds of a time word, as an interval. */
export function unitSeconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : units.get(text)?.long
}

/** A duration and the index after it. */
type Span = { readonly seconds: number; readonly next: number }

/**
 * "day", "24 hours", "any 7 days", "the next two weeks", "other day", "2 hours and 30 minutes", from this
 * index.
 */
export function spanFrom(
  words: readonly Word[],
  from: number,
  kind: keyof Unit = 'long',
  needsCount = false,
): Span | undefined {
  let at = from
  while (/^(any|the|each|every|next|rolling|coming|whole|full)$/.test(words[at]?.text ?? '')) at += 1
  const text = words[at]?.text
  // "30m" is minutes here, although it can also mean millions.
  const minutes = /^(\d{1,5})m$/.exec(text ?? '')
  if (minutes) return { seconds: 60 * Number(minutes[1]), next: at + 1 }
  const other = text === 'other'
  const count = other ? { value: 2, next: at + 1 } : countAt(words, at)
  if (!count && needsCount) return undefined
  const { value, next } = count ?? { value: 1, next: at }
  // "a full week", "14 consecutive days".
  const place = /^(full|whole|consecutive|calendar)$/.test(words[next]?.text ?? '') ? next + 1 : next
  const unit = units.get(words[place]?.text ?? '')
  if (!unit || value <= 0) return undefined
  return addParts(words, { seconds: value * unit[kind], next: place + 1 }, unit, kind)
}

/** "… and 30 minutes", "… and a half". */
function addParts(words: readonly Word[], first: Span, unit: Unit, kind: keyof Unit): Span {
  const at = words[first.next]?.text === 'and' ? first.next + 1 : first.next
  if (at > first.next && words[at]?.text === 'a' && words[at + 1]?.text === 'half')
    return { seconds: first.seconds + unit[kind] / 2, next: at + 2 }
  const count = countAt(words, at)
  const part = count && units.get(words[count.next]?.text ?? '')
  if (!part || part.long >= unit.long) return first
  return addParts(
    words,
    { seconds: first.seconds + count.value * part[kind], next: count.next + 1 },
    part,
    kind,
  )
}

/**
 * How often something is done: "weekly", "every day", "every 6 hours", "each Monday", "twice a day". The
 * longest one.
 */
export function readCadence(words: readonly Word[]): number | undefined {
  return largest(readCadences(words))
}

/** The largest number of a list of any length. */
export function largest(numbers: readonly number[]): number | undefined {
  return numbers.reduce<number | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined)
}

/** The smallest number of a list of any length. */
export function smallest(numbers: readonly number[]): number | undefined {
  return numbers.reduce<number | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
}

/** Words after which "daily" is the period of a limit, and not an interval. */
const ofLimit = wordSet(
  'limit limits cap caps budget maximum max spend spending total ceiling allowance outflow turnover',
)
/** Words after which "every" belongs to a count, as in "3 trades every day". */
const counted = wordSet('once twice times trades swaps buys sells orders actions')

/** Every interval that the words name. */
export function readCadences(words: readonly Word[]): number[] {
  const cadences: number[] = []
  const take = (seconds: number | undefined) => {
    if (seconds !== undefined && seconds > 0) cadences.push(Math.ceil(seconds))
  }
  for (const [index, { text }] of words.entries()) {
    const before = words[index - 1]?.text ?? ''
    if (text.endsWith('ly') && !ofLimit.has(words[index + 1]?.text ?? '')) take(unitSeconds(text))
    if (before === 'on' && text.endsWith('days')) take(unitSeconds(text))
    if ((text === 'every' || text === 'each') && !counted.has(before))
      take(spanFrom(words, index + 1)?.seconds)
    if (text === 'once' || text === 'twice' || text === 'times') {
      const count = text === 'times' ? countBefore(words, index) : text === 'once' ? 1 : 2
      const seconds = behindCount(words, index + 1)
      take(seconds === undefined || !count ? undefined : seconds / count)
    }
  }
  return cadences
}

/** "a day", "per week", "daily", "in 24 hours" after a count. */
export function behindCount(words: readonly Word[], at: number): number | undefined {
  const text = words[at]?.text ?? ''
  if (/ly$/.test(text)) return unitSeconds(text)
  if (!/^(an?|per|each|every|in|within|\/|any)$/.test(text)) return undefined
  return spanFrom(words, at + 1)?.seconds
}

/** The whole number that ends right before this index. */
export function countBefore(words: readonly Word[], at: number): number | undefined {
  for (const back of [3, 2, 1]) {
    const count = at - back >= 0 ? countAt(words, at - back) : undefined
    if (count && count.next === at && Number.isInteger(count.value)) return count.value
  }
  return undefined
}

/** A duration such as "30 days" or "two weeks", anywhere in the words, as a lifetime. The shortest one. */
export function readSpan(words: readonly Word[]): number | undefined {
  let shortest: number | undefined
  for (let at = 0; at < words.length; at += 1) {
    const span = spanFrom(words, at, 'short', true)
    if (!span) continue
    const seconds = Math.floor(span.seconds)
    if (seconds > 0 && (shortest === undefined || seconds < shortest)) shortest = seconds
    at = span.next - 1
  }
  return shortest
}
