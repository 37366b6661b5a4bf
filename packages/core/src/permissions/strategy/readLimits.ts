import type { Evidence } from '../permissionPlan.ts'
import { determiners } from './lexicon.ts'
import { type Money, perDay, readCadence } from './readAmounts.ts'
import type { Word } from './readSentences.ts'

/** A bound that a sentence sets beside asking for anything. */
export type Limit = {
  /** `total`: for as long as the Golem lives. `unsaid`: nobody told for how long, or for how much of it. */
  readonly of: 'day' | 'size' | 'total' | 'unsaid'
  readonly cents: bigint
  /** Of an ask's own limit: the time that it is for, where `cents` may go at once if that long passes in between. */
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
  'trade trades swap swaps transaction transactions tx order orders position positions time deposit deposits execution executions buy buys sell sells',
)
const priceWords = set('above below under over at reaches hits crosses price gas is near')
const priceThings = set('price prices gas balance market')
/** Money that does not leave by what the strategy does, or is read as a term of its own. */
const otherMoney = set('budget runway slippage')

/** Where amounts stand: beside an ask of their own, and beside names of assets, whose prices they may be. */
type Surroundings = { readonly asks: boolean; readonly names: boolean }

/** Amounts that bound what is done. Outside of an ask every amount for a time or for an action is taken as a bound. */
export function readLimits(
  words: readonly Word[],
  money: readonly Money[],
  { asks, names }: Surroundings,
  from: Evidence,
  unclear: (question: string) => void,
): Limit[] {
  const has = (list: ReadonlySet<string>) => words.some(({ text }) => list.has(text))
  const outright = has(limitWords)
  const other = has(otherMoney)
  if (money.length === 0 && outright && !asks && !other && words.some(({ text }) => /^\d[\d,.]*$/.test(text)))
    unclear('Is this a limit? It was not read. Write it in dollars, as in "at most $5 a day".')
  if (money.length === 0 || (!outright && (asks || other))) return []
  const spends = !asks && (outright || has(spendWords) || (has(actions) && !names && !has(priceThings)))
  return money.flatMap((amount): Limit[] => {
    if (isPrice(words, amount) && !spends) return []
    const scope = scopeOf(words, amount, asks)
    const isOpen = scope.of === 'unsaid'
    if (isOpen && other) return []
    if (isOpen && !outright) unclear('What is this amount for? It bounds nothing.')
    else if (!outright) unclear('Is this a limit? It was taken as one.')
    return isOpen && !outright ? [] : [{ ...scope, from }]
  })
}

/** Whether an amount is what something costs, as in "below $2,000". What is for a time is no price. */
export function isPrice(words: readonly Word[], { at, perSeconds }: Money): boolean {
  return perSeconds === undefined && priceWords.has(words[at - 1]?.text ?? '')
}

function scopeOf(
  words: readonly Word[],
  { at, cents, perSeconds }: Money,
  asks: boolean,
): Pick<Limit, 'of' | 'cents' | 'seconds'> {
  if (perSeconds !== undefined) return forDay(cents, perSeconds, asks)
  if (isForOne(words, at) || (!asks && words.some(({ text }) => actions.has(text))))
    return { of: 'size', cents }
  const often = readCadence(words) ?? perWord(words)
  if (often !== undefined) return forDay(cents, often, asks)
  if (words.some(({ text }) => totalWords.has(text))) return { of: 'total', cents }
  return { of: 'unsaid', cents }
}

function forDay(cents: bigint, seconds: number, asks: boolean): Pick<Limit, 'of' | 'cents' | 'seconds'> {
  return asks ? { of: 'day', cents, seconds } : { of: 'day', cents: perDay(cents, seconds) }
}

/** "per trade", "each swap", "$5 each", "at a time". */
function isForOne(words: readonly Word[], at: number): boolean {
  return words.some(({ text }, index) => {
    const before = words[index - 1]?.text ?? ''
    if (text === 'each' || text === 'apiece') return index === at + 1 || index === at + 2
    return actions.has(text) && (determiners.has(before) || before === '/')
  })
}

/** "max per day: $5", where the time stands before the amount. */
function perWord(words: readonly Word[]): number | undefined {
  return words.some(
    ({ text }, index) => /^(day|24)$/.test(text) && /^(per|a|any|\/)$/.test(words[index - 1]?.text ?? ''),
  )
    ? 86_400
    : undefined
}
