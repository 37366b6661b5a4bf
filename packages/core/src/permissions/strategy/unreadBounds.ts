import type { AssetReader } from './assets.ts'
import type { Word } from './readSentences.ts'

/** Questions about bounds that an ask names and that a Cage cannot hold, so that nobody believes they were taken. */
export function unreadBounds(words: readonly Word[], assets: AssetReader): string[] {
  const questions = new Set<string>()
  const slippage = words.some(({ text }) => text === 'slippage')
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const number = /^\d[\d,]*(\.\d+)?$/.test(word.text)
    const symbol = number && next ? assets.symbol(next) : undefined
    if (symbol !== undefined && !/^(USD|DAI)/.test(symbol))
      questions.add(`How much is ${word.raw} ${symbol} in dollars? Amounts are bounded in dollars only.`)
    if (/^[€£]/.test(word.text)) questions.add(`How much is ${word.raw} in dollars?`)
    if (!slippage && (/^(half|third)$/.test(word.text) || (/%$/.test(word.text) && next?.text === 'of')))
      questions.add('How much is this share in dollars? Shares of a balance are not bounded.')
    if (word.text === 'until') questions.add('Until when? Write it as in "lifespan: 3 days".')
    if (isOnce(words, at)) questions.add('Only once? How many times is not bounded.')
    if (/^(trades|swaps|times|buys|sells)$/.test(word.text) && /^\d+$/.test(words[at - 1]?.text ?? ''))
      questions.add('How often? Write the time between two, as in "every 8 hours".')
  }
  return [...questions]
}

/** "once", "one time"; "once a week" is how often. */
function isOnce(words: readonly Word[], at: number): boolean {
  const [text, next] = [words[at]?.text, words[at + 1]?.text]
  if (text === 'one') return next === 'time'
  return text === 'once' && (next === undefined || /^[,.]$|^only$/.test(next))
}
