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

/** Pegged to the dollar: the first one in the strategy is the settlement asset. */
export const stablecoins: ReadonlySet<string> = new Set(['USDC', 'USDT', 'DAI', 'USDbC', 'cUSD'])

// These are not English words, so they also count in lower case.
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
// A Golem trades the wrapped token: a Uniswap V3 swap accepts nothing else.
const aliases = new Map([
  ['eth', 'WETH'],
  ['ether', 'WETH'],
])

/** Recognises symbols in words. */
export type AssetReader = {
  /** The asset that a word names. */
  symbol(word: Word): string | undefined
  /** Whether a word looks like an unknown token. */
  unknown(word: Word): boolean
}

/** A reader for the symbols of an address book. */
export function assetReader(symbols: readonly string[]): AssetReader {
  const exact = new Set(symbols)
  const named = ({ raw, text }: Word) => {
    if (exact.has(raw)) return raw
    const alias = aliases.get(text)
    if (alias && exact.has(alias)) return alias
    return unmistakable.has(text) ? symbols.findLast((symbol) => symbol.toLowerCase() === text) : undefined
  }
  // A long text has few distinct words. Most name no asset: an empty symbol.
  const cache = new Map<Word, string>()
  const symbol = (word: Word) => {
    let known = cache.get(word)
    if (known === undefined) {
      known = named(word) ?? ''
      cache.set(word, known)
    }
    return known === '' ? undefined : known
  }
  return {
    symbol,
    unknown: (word) =>
      /^[A-Z][A-Z0-9]{1,7}$/.test(word.raw) && !acronyms.has(word.text) && symbol(word) === undefined,
  }
}
