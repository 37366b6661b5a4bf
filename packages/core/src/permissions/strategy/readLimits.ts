import type { Evidence } from '../permissionPlan.ts'
import { daySeconds } from '../planLimits.ts'
import { determiners } from './lexicon.ts'
import type { Money } from './readAmounts.ts'
import type { Unclear } from './readSentence.ts'
import type { Word } from './readSentences.ts'
import { readCadence, spanFrom } from './readTimes.ts'

/** A limit that a sentence sets without requesting anything. */
export type Limit = {
  /** `total`: over the Golem's whole life. `unsaid`: the sentence does not state the period or the scope. */
  readonly of: 'day' | 'size' | 'total' | 'unsaid'
  readonly cents: bigint
  /** Its period. For a daily limit: `cents` may leave at once if that period passes in between. */
  readonly seconds?: number
  readonly from: Evidence
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const limitWords = set(
  'most max maximum limit limits limited cap caps capped up than exceed exceeds exceeding ceiling tops only within total totals altogether overall lifetime',
)
const spendWords = set('spend spends spending spent outflow turnover use uses using')
const totalWords = set('total totals altogether overall all lifetime ever')
const actions = set(
  'trade trades swap swaps transaction transactions tx order orders position positions time deposit deposits execution executions buy buys sell sells purchase purchases',
)
const priceWords = set('above below under over at reaches hits crosses price gas is near')
const priceThings = set('price prices gas balance market')
/** Money that the strategy does not move, or that is read as a separate term. */
const otherMoney = set('budget runway slippage')
/** `amount: $10` is the size of one action. */
const sizeKeys = /^(amount|size|order size|trade size|position size|purchase amount)$/

/**
 * The context of amounts: next to a request, next to asset names, whose prices they may be, or after a key.
 */
type Surroundings = {
  readonly asks: boolean
  readonly names: boolean
  readonly key: string | undefined
  /** Its number is read as something else, such as a number of actions. */
  readonly counts: boolean
}

/** Amounts that are limits. Outside of a request, every amount per period or per action counts as a limit. */
export function readLimits(
  words: readonly Word[],
  money: readonly Money[],
  { asks, names, key, counts }: Surroundings,
  from: Evidence,
  unclear: Unclear,
): Limit[] {
  const has = (list: ReadonlySet<string>) => words.some(({ text }) => list.has(text))
  const outright = has(limitWords)
  const other = has(otherMoney)
  if (money.length === 0) {
    if (outright && !asks && !other && !counts && words.some(({ text }) => /^\d[\d,.]*$/.test(text)))
      unclear('Is this a limit? Write it in dollars, for example "at most $5 a day".', 'notSigned')
    return []
  }
  if (key !== undefined && sizeKeys.test(key))
    return money.map(({ cents }): Limit => ({ of: 'size', cents, from }))
  const spends = !asks && (outright || has(spendWords) || (has(actions) && !names && !has(priceThings)))
  return money.flatMap((amount): Limit[] => {
    const total = totalOf(words, amount)
    if (total) return [{ ...total, from }]
    if (!outright && (asks || other)) return []
    if (isPrice(words, amount) && !spends) return []
    // "Swap $10 every hour, at most $50 a day": the first is the size, which the request has already.
    if (asks && money.length > 1 && amount.perSeconds === undefined && !isLimited(words, amount.at)) return []
    const scope = scopeOf(words, amount, asks)
    const isOpen = scope.of === 'unsaid'
    if (isOpen && other) return []
    if (isOpen && !outright) unclear('What is this amount for? It limits nothing.', 'notSigned')
    else if (!outright) unclear('Is this a limit? It was used as one.', 'narrowed')
    if (scope.of === 'day' && (amount.perSeconds ?? daySeconds) < daySeconds)
      unclear('A limit for less than a day is signed as the limit for a whole day.', 'narrowed')
    return isOpen && !outright ? [] : [{ ...scope, from }]
  })
}

/** Whether an amount is a price, as in "below $2,000". An amount with a period is not a price. */
export function isPrice(words: readonly Word[], { at, perSeconds }: Money): boolean {
  return perSeconds === undefined && priceWords.has(words[at - 1]?.text ?? '')
}

/** "at most $50", "up to $50", "max $50", "a limit of $50", "$50 max": the limit word is near the amount. */
function isLimited(words: readonly Word[], at: number): boolean {
  for (let near = at - 3; near <= at + 3; near += 1) {
    const text = words[near]?.text ?? ''
    if (near > at && /^[,;]$/.test(text)) return false
    if (limitWords.has(text)) return true
  }
  return false
}

/** "$100 over 10 days": a total, and then no more. */
function totalOf(
  words: readonly Word[],
  { at, cents }: Money,
): Pick<Limit, 'of' | 'cents' | 'seconds'> | undefined {
  for (let place = at + 1; place < words.length; place += 1) {
    const text = words[place]?.text ?? ''
    if (text.startsWith('$') || text === ';') return undefined
    const over = /^(over|across|throughout)$/.test(text)
    const seconds = over ? spanFrom(words, place + 1, 'short')?.seconds : undefined
    if (seconds !== undefined) return { of: 'total', cents, seconds: Math.floor(seconds) }
  }
  return undefined
}

function scopeOf(
  words: readonly Word[],
  { at, cents, perSeconds }: Money,
  asks: boolean,
): Pick<Limit, 'of' | 'cents' | 'seconds'> {
  if (perSeconds !== undefined) return { of: 'day', cents, seconds: perSeconds }
  if (isForOne(words, at) || (!asks && words.some(({ text }) => actions.has(text))))
    return { of: 'size', cents }
  if (isInTotal(words, at)) return { of: 'total', cents }
  const often = readCadence(words) ?? limitTime(words)
  if (often !== undefined) return { of: 'day', cents, seconds: often }
  if (words.some(({ text }) => totalWords.has(text))) return { of: 'total', cents }
  return { of: 'unsaid', cents }
}

/**
 * "$80 in total", "$80 altogether", "a total of $80": the word is next to the amount, whatever interval is
 * elsewhere.
 */
function isInTotal(words: readonly Word[], at: number): boolean {
  const text = (place: number) => words[place]?.text ?? ''
  const behind = [1, 2, 3].some(
    (by) =>
      /^(total|altogether|overall)$/.test(text(at + by)) ||
      (text(at + by) === 'in' && text(at + by + 1) === 'all'),
  )
  return behind || text(at - 1) === 'total' || (text(at - 1) === 'of' && text(at - 2) === 'total')
}

/** "per trade", "each swap", "$5 each", "at a time". */
function isForOne(words: readonly Word[], at: number): boolean {
  return words.some(({ text }, index) => {
    const before = words[index - 1]?.text ?? ''
    if (text === 'each' || text === 'apiece') return index === at + 1 || index === at + 2
    return actions.has(text) && (determiners.has(before) || before === '/')
  })
}

/** "max per day: $5", "weekly limit: $35": the period is before the amount. */
export function limitTime(words: readonly Word[]): number | undefined {
  let longest: number | undefined
  for (const [index, { text }] of words.entries()) {
    const named = /ly$/.test(text) || /^(per|an?|any|\/)$/.test(words[index - 1]?.text ?? '')
    const seconds = named ? spanFrom(words, index)?.seconds : undefined
    if (seconds !== undefined && (longest === undefined || seconds > longest)) longest = seconds
  }
  return longest
}
