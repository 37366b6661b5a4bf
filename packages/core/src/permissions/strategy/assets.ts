import { acronyms } from './lexicon.ts'
import type { Word } from './readSentences.ts'

/** Symbols that the compiler knows without an address book. */
export const commonAssets = [
  'USDC',
  'USDT',
  'DAI',
  'EURC',
  'USDbC',
  'cUSD',
  'WETH',
  'cbETH',
  'wstETH',
  'rETH',
  'WBTC',
  'cbBTC',
  'CELO',
  'ARB',
  'OP',
  'UNI',
  'LINK',
  'AAVE',
] as const

/** Held at about a dollar: what positions are settled in, the first that is named. */
export const stablecoins: ReadonlySet<string> = new Set(['USDC', 'USDT', 'DAI', 'USDbC', 'cUSD'])

// These are no English words, so that they count in small letters too.
const unmistakable = new Set([
  'usdc',
  'usdt',
  'weth',
  'wbtc',
  'cbbtc',
  'cbeth',
  'wsteth',
  'reth',
  'usdbc',
  'eurc',
])
// A Golem trades the wrapped token: a swap on Uniswap V3 takes nothing else.
const aliases = new Map([
  ['eth', 'WETH'],
  ['ether', 'WETH'],
])

/** Reads symbols out of words. */
export type AssetReader = {
  /** The asset that a word names. */
  symbol(word: Word): string | undefined
  /** Whether a word looks like a token that nobody knows. */
  unknown(word: Word): boolean
}

/** A reader for the symbols of an address book. */
export function assetReader(symbols: readonly string[]): AssetReader {
  const exact = new Set(symbols)
  const small = new Map(symbols.map((symbol) => [symbol.toLowerCase(), symbol]))
  const named = ({ raw, text }: Word) => {
    if (exact.has(raw)) return raw
    const alias = aliases.get(text)
    if (alias && exact.has(alias)) return alias
    return unmistakable.has(text) ? small.get(text) : undefined
  }
  // A long text has few different words.
  const known = new Map<Word, string | undefined>()
  const symbol = (word: Word) => {
    if (!known.has(word)) known.set(word, named(word))
    return known.get(word)
  }
  return {
    symbol,
    unknown: (word) =>
      /^[A-Z][A-Z0-9]{1,7}$/.test(word.raw) && !acronyms.has(word.text) && symbol(word) === undefined,
  }
}
