import type { AssetReader } from './assets.ts'
import { conditions, exceptions, wordSet } from './lexicon.ts'
import { bpsAt } from './readAmounts.ts'
import { isOnceCondition } from './readCounts.ts'
import type { Word } from './readSentences.ts'
import type { StatedBound } from './readStatedBounds.ts'
import { spanFrom, startsWithDigit } from './readTimes.ts'

const moods = wordSet(
  'arousal pleasure dominance mood moods panic panics panicking fear fearful afraid anxious anxiety stressed despair desperate euphoric euphoria emotion emotions emotional emotionally excited greedy',
)
const losses = wordSet(
  'drawdown drawdowns loss losses stop-loss lose loses losing lost falls drops decline declines',
)
const market = wordSet(
  'price prices gas volatility apy apr yield yields mean average deviation deviations rsi',
)
const fractions = wordSet('half third quarter')
const someOf = wordSet('few several some')
const comparisons = wordSet('above below before during outside beyond while')
const whens = wordSet('when whenever if')

/**
 * What a sentence names that Cage terms cannot express, each with what to write instead.
 *
 * @param expressed - the places of shares that a constitution expresses, and the bounds that the sentence states
 */
export function unsignedBounds(
  words: readonly Word[],
  assets: AssetReader,
  isAsk: boolean,
  { used, stated }: { readonly used: ReadonlySet<number>; readonly stated: readonly StatedBound[] },
): string[] {
  const isStated = (...types: readonly StatedBound['type'][]) =>
    stated.some(({ type }) => types.includes(type))
  const questions = new Set<string>()
  const has = (list: ReadonlySet<string>) => words.some(({ text }) => list.has(text))
  const slippage = words.some(({ text }) => text === 'slippage')
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const number = startsWithDigit(word.text) && /^\d[\d,]*(\.\d+)?$/.test(word.text)
    const symbol = number && next ? assets.symbol(next) : undefined
    if (symbol !== undefined && !/^(USD|DAI)/.test(symbol) && !isStated('gas'))
      questions.add(`How much is ${word.raw} ${symbol} in dollars? Amounts are signed in dollars only.`)
    if (word.text.startsWith('€') || word.text.startsWith('£'))
      questions.add(`How much is ${word.raw} in dollars?`)
    if (fractions.has(word.text) && next?.text === 'of') questions.add(shareQuestion(word.raw))
    const share = bpsAt(words, at)
    if (share !== undefined && !slippage && !used.has(at) && !isStated('floor', 'sizeShare')) {
      const shown = /%$/.test(word.raw) ? word.raw : `${word.raw} ${next?.raw}`
      if (has(losses))
        questions.add(
          `A loss of ${shown} cannot be signed, only a drawdown of the whole portfolio. Write, for example, "Stop when the drawdown is 15%".`,
        )
      else if (isVaultShare(words, at)) continue
      else if (has(market)) continue
      else questions.add(shareQuestion(shown))
    }
    if (moods.has(word.text) && !isStated('mood', 'anyMood'))
      questions.add('Which number of the mood? Write, for example, "Do not trade when arousal is above 60".')
    if (word.text === 'until') questions.add('Until when? Write, for example: lifespan: 3 days')
    if (isAsk && word.text === 'every' && !readsAsRhythm(words, at))
      questions.add('How often? This interval was not understood. Write, for example, "every 6 hours".')
    if (someOf.has(word.text) && spanFrom(words, at + 1) !== undefined)
      questions.add(`How many ${next?.raw}? Write a number.`)
  }
  if (questions.size === 0 && used.size === 0 && !isStated('mood', 'floor') && hasCondition(words))
    questions.add('The condition cannot be signed: the chain does not check it.')
  return [...questions]
}

/** "10% of the vault", "10 percent of what the vault holds". */
export function isVaultShare(words: readonly Word[], at: number): boolean {
  let place = at + 1
  while (
    /^(percent|per-cent|pct|bps|bp|basis|points|of|the|its|this|our|my|each|what|that|a|one|total|erc-4626)$/.test(
      words[place]?.text ?? '',
    )
  )
    place += 1
  return /^(vaults?|vault's|vault’s)$/.test(words[place]?.text ?? '')
}

function shareQuestion(shown: string): string {
  return `A share such as ${shown} cannot be signed: limits are in dollars. Write, for example, "at most $50 per trade", or "never hold more than 30% in WETH".`
}

function readsAsRhythm(words: readonly Word[], at: number): boolean {
  if (spanFrom(words, at + 1) !== undefined) return true
  return /^(trade|swap|order|buy|sell|deposit|purchase|transaction|action|execution)s?$/.test(
    words[at + 1]?.text ?? '',
  )
}

/** "when …", "if …", "unless …", "once the price …". */
function hasCondition(words: readonly Word[]): boolean {
  return words.some(({ text }, at) => {
    if (text === 'once') return isOnceCondition(words, at)
    if (text === 'than' || text === 'after' || text.startsWith('exceed')) return false
    if (comparisons.has(text))
      return (
        !/^\$/.test(words[at + 1]?.text ?? '') ||
        words.some(({ text: other }) => market.has(other) || whens.has(other))
      )
    return conditions.has(text) || exceptions.has(text)
  })
}
