import type { Capability, Evidence, PlanPair } from '../permissionPlan.ts'
import type { AssetReader } from './assets.ts'
import { deniedBy, determiners, hedges, type Pattern, patterns, vagueAsks } from './lexicon.ts'
import { readSegments, type Segment } from './negation.ts'
import { type Money, readCadence, readMoney } from './readAmounts.ts'
import { isPrice, type Limit, readLimits } from './readLimits.ts'
import type { Sentence, Word } from './readSentences.ts'
import { readSwap, type SwapReading } from './readSwap.ts'
import { unreadBounds } from './unreadBounds.ts'

/** A sentence asks for a capability. */
export type Ask = {
  readonly capability: Capability
  readonly reach: Pattern['reach']
  readonly swap: SwapReading
  /** Symbols in their order, as often as they stand there. */
  readonly symbols: readonly string[]
  readonly cents: bigint | undefined
  readonly cadence: number | undefined
  readonly from: Evidence
}

/** A sentence forbids a capability, some pairs of it, or an asset whatever is done with it. */
export type Denial = {
  readonly capability: Capability | undefined
  readonly pairs: readonly PlanPair[]
  readonly buys: readonly string[]
  readonly sells: readonly string[]
  readonly symbols: readonly string[]
  readonly from: Evidence
}

/** Where a text leaves open what its owner wants. The narrower reading was taken. */
export type Ambiguity = Evidence & { readonly question: string }

/** All that one sentence says. */
export type SentenceReading = {
  readonly asks: readonly Ask[]
  readonly denials: readonly Denial[]
  readonly limits: readonly Limit[]
  readonly ambiguities: readonly Ambiguity[]
}

/** Reads one sentence: what it asks for, what it forbids, what it bounds, and what is unclear about it. */
export function readSentence(sentence: Sentence, assets: AssetReader): SentenceReading {
  // Most sentences speak of nothing that concerns anybody here, whatever they negate.
  if (!sentence.words.some((word) => word.matters || assets.symbol(word) !== undefined)) return silent
  const from: Evidence = { line: sentence.line, sentence: sentence.text }
  const asks: Ask[] = []
  const denials: Denial[] = []
  const limits: Limit[] = []
  const ambiguities: Ambiguity[] = []
  const unclear = (question: string) => ambiguities.push({ ...from, question })
  // What a foreign sentence forbids counts, what it asks for does not.
  const foreign = sentence.words.some((word) => word.foreign)

  for (const segment of readSegments(sentence)) {
    const money = readMoney(segment.words)
    const found = findAsks(segment)
    const symbols = segment.words.flatMap((word) => assets.symbol(word) ?? [])
    // "Trades of at most $5" names a verb and asks for nothing.
    const around = { asks: found.size > 0 && symbols.length > 0, names: symbols.length > 0 }
    limits.push(...readLimits(segment.words, money, around, from, unclear))
    denials.push(...findDenials(segment, assets, from))
    if (segment.excepted && segment.words.some(({ text }, at) => segment.negated[at] && deniedBy.has(text))) {
      unclear(
        'It is forbidden with an exception, which nobody but the owner can judge. Forbidden altogether?',
      )
    }
    for (const [capability, reach] of found) {
      const name = capabilityNames[capability]
      if (foreign) unclear(`Is this sentence in English? It was not taken as asking to ${name}.`)
      else if (sentence.question) unclear(`This is a question. Should the Golem ${name}?`)
      else if (sentence.frame === 'aside')
        unclear(`This stands under a heading for later or for example. Should the Golem ${name}?`)
      else if (segment.words.some(({ text }) => hedges.has(text)))
        unclear(`This sounds undecided. Should the Golem ${name}?`)
      else {
        const swap = readSwap(segment.words, assets)
        for (const word of segment.words) {
          if (assets.unknown(word)) unclear(`${word.raw} is not a known asset. Which token is it?`)
        }
        const cents = askedCents(segment.words, money, unclear)
        const per = money.find(({ perSeconds }) => perSeconds !== undefined)?.perSeconds
        for (const question of unreadBounds(segment.words, assets)) unclear(question)
        asks.push({
          capability,
          reach,
          swap,
          symbols,
          cents,
          cadence: readCadence(segment.words) ?? per,
          from,
        })
      }
    }
    if (found.size === 0 && !foreign) {
      for (const [at, word] of segment.words.entries()) {
        const question = vagueAsks.get(word.text)
        if (!question || word.quoted || segment.negated[at] || isThing(segment.words, at)) continue
        unclear(question)
        break
      }
    }
  }
  return { asks, denials, limits, ambiguities }
}

/** What a capability is called in a question to an owner. */
export const capabilityNames: Readonly<Record<Capability, string>> = {
  Swap: 'swap',
  ProvideLiquidity: 'provide liquidity',
  VaultManagement: 'use a vault',
  Bridge: 'bridge',
  SpawnReplicants: 'spawn Replicants',
  LimitOrders: 'place limit orders',
}

const silent: SentenceReading = { asks: [], denials: [], limits: [], ambiguities: [] }

/** "the swap", "each deposit": a thing that is spoken of, not an instruction. */
function isThing(words: readonly Word[], at: number): boolean {
  return determiners.has(words[at - 1]?.text ?? '')
}

const swapBit = 1
const positions = /^(liquidity|lps?|pools?|positions?)$/

function findAsks(segment: Segment): Map<Capability, Pattern['reach']> {
  const { words, negated } = segment
  const found = new Map<Capability, Pattern['reach']>()
  let [verbs, objects] = [0, 0]
  let rebalances = false
  for (const [at, word] of words.entries()) {
    if (word.quoted || negated[at]) continue
    objects |= word.objectOf
    if (word.verbOf === 0 || isThing(words, at)) continue
    // Liquidity is rebalanced by other means than a swap; the first verb of a sort counts.
    if ((verbs & word.verbOf) === 0 && word.text.startsWith('rebalanc')) rebalances = true
    verbs |= word.verbOf
  }
  if (rebalances && words.some(({ text }) => positions.test(text))) verbs &= ~swapBit
  for (const [place, { capability, reach, objects: needed }] of patterns.entries()) {
    if (((verbs >> place) & 1) === 0 || (needed && ((objects >> place) & 1) === 0)) continue
    if (found.get(capability) !== 'full') found.set(capability, reach)
  }
  const at = words.findIndex((word, index) => word.text === 'lp' && !word.quoted && !negated[index])
  if (
    at >= 0 &&
    !isThing(words, at) &&
    /^(in|into|on|to|with)$|^[a-z]*(usdc|weth|eth)$/.test(words[at + 1]?.text ?? '')
  ) {
    found.set('ProvideLiquidity', 'full')
  }
  return found
}

function findDenials(
  { words, negated, conditional }: Segment,
  assets: AssetReader,
  from: Evidence,
): Denial[] {
  if (conditional) return []
  if (negated.length === 0) return []
  const said = words.filter((_, at) => negated[at])
  const capabilities = new Set(said.flatMap(({ text }) => deniedBy.get(text) ?? []))
  const swap = readSwap(said, assets)
  const symbols = swap.named
  if (capabilities.size === 0) {
    return symbols.length > 0
      ? [{ capability: undefined, pairs: [], buys: [], sells: [], symbols, from }]
      : []
  }
  return [...capabilities].map((capability) =>
    capability === 'Swap'
      ? { capability, pairs: swap.pairs, buys: swap.buys, sells: swap.sells, symbols, from }
      : { capability, pairs: [], buys: [], sells: [], symbols, from },
  )
}

function askedCents(words: readonly Word[], money: readonly Money[], unclear: (question: string) => void) {
  const amounts = money.filter((amount) => !isPrice(words, amount)).map(({ cents }) => cents)
  const least = amounts.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
  if (new Set(amounts).size > 1)
    unclear('Several amounts: which is the one for a single action? The smallest was taken.')
  return least
}
