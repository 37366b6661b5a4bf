import type { AssetReader } from './assets.ts'
import { conditions, exceptions } from './lexicon.ts'
import { bpsAt } from './readAmounts.ts'
import { isOnceCondition } from './readCounts.ts'
import type { Word } from './readSentences.ts'
import { spanFrom } from './readTimes.ts'

const moods = new Set(
  'arousal pleasure dominance mood moods panic panics panicking fear fearful afraid anxious anxiety stressed despair desperate euphoric euphoria emotion emotions emotional emotionally excited greedy'.split(
    ' ',
  ),
)
const losses =
  /^(drawdown|drawdowns|loss|losses|stop-loss|lose|loses|losing|lost|falls|drops|decline|declines)$/
const market = /^(price|prices|gas|volatility|apy|apr|yield|yields|mean|average|deviation|deviations|rsi)$/

/** What a sentence names that Cage terms cannot express, each with what to write instead. */
export function unsignedBounds(words: readonly Word[], assets: AssetReader, isAsk: boolean): string[] {
  const questions = new Set<string>()
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text))
  const slippage = has(/^slippage$/)
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const number = /^\d[\d,]*(\.\d+)?$/.test(word.text)
    const symbol = number && next ? assets.symbol(next) : undefined
    if (symbol !== undefined && !/^(USD|DAI)/.test(symbol))
      questions.add(`How much is ${word.raw} ${symbol} in dollars? Amounts are signed in dollars only.`)
    if (/^[€£]/.test(word.text)) questions.add(`How much is ${word.raw} in dollars?`)
    if (/^(half|third|quarter)$/.test(word.text) && next?.text === 'of')
      questions.add(shareQuestion(word.raw))
    const share = bpsAt(words, at)
    if (share !== undefined && !slippage) {
      const shown = /%$/.test(word.raw) ? word.raw : `${word.raw} ${next?.raw}`
      if (has(losses))
        questions.add(
          `A drawdown of ${shown} cannot be signed. Which dollar limit applies instead? Write, for example, "at most $50 a day".`,
        )
      else if (isVaultShare(words, at)) continue
      else if (has(market)) continue
      else questions.add(shareQuestion(shown))
    }
    if (moods.has(word.text))
      questions.add(
        'A mood cannot be signed. Which dollar limit or interval applies instead? Write, for example, "at most $50 a day".',
      )
    if (word.text === 'until') questions.add('Until when? Write, for example: lifespan: 3 days')
    if (isAsk && word.text === 'every' && !readsAsRhythm(words, at))
      questions.add('How often? This interval was not understood. Write, for example, "every 6 hours".')
    if (/^(few|several|some)$/.test(word.text) && spanFrom(words, at + 1) !== undefined)
      questions.add(`How many ${next?.raw}? Write a number.`)
  }
  if (questions.size === 0 && hasCondition(words))
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
  return `A share such as ${shown} cannot be signed: limits are in dollars. Write, for example, "at most $50 per trade".`
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
    if (text === 'than' || text === 'after' || /^exceed/.test(text)) return false
    if (/^(above|below|before|during|outside|beyond|while)$/.test(text))
      return (
        !/^\$/.test(words[at + 1]?.text ?? '') ||
        words.some(({ text: other }) => market.test(other) || /^(when|whenever|if)$/.test(other))
      )
    return conditions.has(text) || exceptions.has(text)
  })
}
