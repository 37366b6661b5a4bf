import type { PlanPair } from '../permissionPlan.ts'
import type { AssetReader } from './assets.ts'
import { wordSet } from './lexicon.ts'
import type { Word } from './readSentences.ts'

/** What a part of a sentence says about swaps: the directions, and what is unclear. */
export type SwapReading = {
  readonly pairs: readonly PlanPair[]
  /** One asset and a direction; the other side is missing. */
  readonly buys: readonly string[]
  readonly sells: readonly string[]
  readonly named: readonly string[]
  readonly unclear: string | undefined
}

const forwards = new Set(['to', 'into', 'for', '->', '=>', '→'])
const backwards = new Set(['with', 'using', 'from'])
const bothWays = wordSet('between rebalance rebalances rebalancing trade trades trading')
const buys = wordSet('buy buys buying accumulate accumulates accumulating dca dcas dcaing into')
const sells = wordSet('sell sells selling')

/** Reads pairs from the order of the symbols and the words between them. */
export function readSwap(words: readonly Word[], assets: AssetReader): SwapReading {
  const groups: { by: 'forwards' | 'backwards' | 'start'; symbols: string[] }[] = [
    { by: 'start', symbols: [] },
  ]
  let by: 'forwards' | 'backwards' | undefined
  for (const word of words) {
    if (forwards.has(word.text)) by = 'forwards'
    else if (backwards.has(word.text)) by = 'backwards'
    const symbol = assets.symbol(word)
    if (symbol === undefined) continue
    if (by !== undefined) groups.push({ by, symbols: [] })
    groups.at(-1)?.symbols.push(symbol)
    by = undefined
  }
  const named = [...new Set(groups.flatMap(({ symbols }) => symbols))]
  const none = { pairs: [], buys: [], sells: [], named, unclear: undefined }
  if (named.length === 0) return none
  const has = (wanted: string) => words.some(({ text }) => text === wanted)
  const both = words.some(({ text }) => bothWays.has(text))
  const buying = words.some(({ text }) => buys.has(text))
  const selling = words.some(({ text }) => sells.has(text))
  if (named.length === 1) {
    if (buying && !selling) return { ...none, buys: named }
    if (selling && !buying) return { ...none, sells: named }
    return { ...none, unclear: `Swap ${named[0]} for which asset, and in which direction?` }
  }

  const pairs = new Map<string, PlanPair>()
  const add = (from: string, to: string) => {
    if (from !== to) pairs.set(`${from} ${to}`, { from, to })
  }
  let unclear: string | undefined
  let sources = groups[0]?.symbols ?? []
  for (const [index, group] of groups.entries()) {
    if (index === 0) continue
    const more = index + 1 < groups.length
    // "USDC to WETH and WETH to USDC": the last symbol of a group starts the next pair.
    const targets = more && group.symbols.length > 1 ? group.symbols.slice(0, -1) : group.symbols
    for (const source of new Set(sources)) {
      for (const target of new Set(targets)) {
        if (group.by === 'forwards') add(source, target)
        else add(target, source)
      }
    }
    if (more && group.symbols.length === 1 && sources.length > 0) {
      unclear = 'This names a chain of tokens. Write each swap separately, for example "swap USDC to WETH".'
      break
    }
    sources = group.symbols.length > 1 || sources.length === 0 ? group.symbols.slice(-1) : []
  }
  if (pairs.size > 0) {
    if (has('back')) for (const { from, to } of [...pairs.values()]) add(to, from)
    return { ...none, pairs: [...pairs.values()], unclear }
  }
  if (both && has('only') && buying !== selling)
    return { ...none, unclear: 'In which direction? Write, for example, "swap USDC to WETH".' }
  if (both) {
    for (const from of named) for (const to of named) add(from, to)
    return { ...none, pairs: [...pairs.values()] }
  }
  if (buying && !selling) return { ...none, buys: named }
  if (selling && !buying) return { ...none, sells: named }
  return { ...none, unclear: `Which of ${named.join(', ')} is sold, and which is bought?` }
}
