import { type ConstitutionRules, narrowRules } from '../constitution.ts'
import type { Evidence } from '../permissionPlan.ts'
import type { AssetReader } from './assets.ts'
import { bpsAt, type Money } from './readAmounts.ts'
import type { Unclear } from './readSentence.ts'
import type { Word } from './readSentences.ts'
import { spanFrom } from './readTimes.ts'
import { isVaultShare } from './unsignedBounds.ts'

/** Rules of a constitution, and the sentence that states them. */
export type StatedRules = { readonly rules: ConstitutionRules; readonly from: Evidence }

/** What a part of a sentence states for a constitution. `used` has the places of its shares and amounts. */
export type RulesReading = {
  readonly rules: ConstitutionRules | undefined
  readonly used: ReadonlySet<number>
}

const drawdown = /^drawdowns?$/
const loss = /^(loss|losses|lose|loses|losing|lost|falls?|falling|drops?|dropping|declines?|down)$/
const portfolio = /^(portfolio|account|holdings|capital|balance|total)$/
const holding =
  /^(holds?|holding|keeps?|keeping|owns?|have|exposure|exposed|allocations?|allocate|allocated|weight|concentration|holdings)$/
/** The share of one trade is another limit than the share that is held. */
const trading = /^(swaps?|trades?|trading|sells?|buys?|spends?|deposits?|moves?|invests?|puts?)$/
const upperWords = /^(most|max|maximum|up|cap|caps|capped|limit|limited)$/
const moreWords = /^(more|over|above|exceed|exceeds|exceeding|larger|greater|higher|beyond)$/
const lessWords = /^(less|fewer|under|below|lower|smaller)$/
const conditionWords = /^(when|whenever|if|unless|while|until|before|after|during)$/

/** Reads the rules of a constitution: shares of the portfolio, a drawdown, amounts per session, approved assets. */
export function readRules(
  words: readonly Word[],
  money: readonly Money[],
  assets: AssetReader,
  key: string | undefined,
  unclear: Unclear,
): RulesReading {
  const used = new Set<number>()
  let rules: ConstitutionRules | undefined
  const add = (more: ConstitutionRules, at: number) => {
    used.add(at)
    rules = rules ? narrowRules(rules, more) : more
  }
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text))
  const symbols = [...new Set(words.flatMap((word) => assets.symbol(word) ?? []))]
  for (const [at, word] of words.entries()) {
    const bps = word.quoted ? undefined : bpsAt(words, at)
    if (bps === undefined || bps > 10_000 || isVaultShare(words, at) || has(/^slippage$/)) continue
    if (has(drawdown) || (has(loss) && has(portfolio) && symbols.length === 0)) {
      add({ maxDrawdownBps: bps }, at)
      continue
    }
    const isHeld = has(holding) || (has(portfolio) && !has(trading))
    if (!isHeld || !isUpperBound(words)) continue
    const named = symbolsOf(words, at, assets)
    const isEach = named.length === 0 && has(/^(assets?|tokens?|coins?|positions?)$/)
    if (isEach) add({ eachShareBps: bps }, at)
    else if (named.length > 0) add({ shareBps: Object.fromEntries(named.map((symbol) => [symbol, bps])) }, at)
    else continue
    if (named.length > 1)
      unclear('This share of the portfolio is signed for each of these assets, not for their sum.', 'check')
    if (has(conditionWords))
      unclear('The share of the portfolio is signed without the condition: it always applies.', 'narrowed')
  }
  for (const { at, cents } of money) {
    const session = sessionAt(words, at)
    if (session) add({ perSessionCents: cents, ...session }, at)
  }
  const isList = key === 'approved assets' || (has(/^only$/) && has(/^(holds?|holding)$/))
  if (isList && symbols.length > 0 && used.size === 0 && money.length === 0) {
    rules = { approved: symbols }
  }
  return { rules, used }
}

/** "never more than", "at most", "below"; not "at least" or "never less than". */
function isUpperBound(words: readonly Word[]): boolean {
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text))
  if (has(/^(least|min|minimum)$/)) return false
  const negates = words.some((word) => word.negates)
  if (has(lessWords)) return !negates
  if (has(moreWords)) return negates
  return has(upperWords)
}

/** The assets of a share: those up to the next share, or all that are named before it. */
function symbolsOf(words: readonly Word[], at: number, assets: AssetReader): readonly string[] {
  const next = words.findIndex((_, place) => place > at && bpsAt(words, place) !== undefined)
  const within = (from: number, to: number) => [
    ...new Set(words.slice(from, to).flatMap((word) => assets.symbol(word) ?? [])),
  ]
  const behind = within(at + 1, next < 0 ? words.length : next)
  return behind.length > 0 ? behind : within(0, at)
}

/** "$100 per session", "$100 a session of 4 hours". */
function sessionAt(
  words: readonly Word[],
  at: number,
): Pick<ConstitutionRules, 'sessionSeconds'> | undefined {
  for (let place = at + 1; place < Math.min(at + 6, words.length); place += 1) {
    const text = words[place]?.text ?? ''
    if (text.startsWith('$') || /^[,;]$/.test(text)) return undefined
    if (!/^sessions?$/.test(text)) continue
    if (!/^(per|an?|each|every|one|any|single|\/)$/.test(words[place - 1]?.text ?? '')) return undefined
    const seconds = words[place + 1]?.text === 'of' ? spanFrom(words, place + 2, 'short')?.seconds : undefined
    return seconds === undefined ? {} : { sessionSeconds: Math.floor(seconds) }
  }
  return undefined
}
