import { leastOf } from '../leastOf.ts'
import type { Capability, Evidence, PlanPair } from '../permissionPlan.ts'
import type { AssetReader } from './assets.ts'
import {
  deniedBy,
  determiners,
  hedges,
  type Pattern,
  patterns,
  sendVerbs,
  vagueAsks,
  wordSet,
} from './lexicon.ts'
import { readSegments, type Segment } from './negation.ts'
import { bpsAt, type Money, readMoney } from './readAmounts.ts'
import { type CountLimit, readCounts } from './readCounts.ts'
import { isPrice, type Limit, readLimits } from './readLimits.ts'
import { replicantTopic } from './readReplicants.ts'
import { readRules, type StatedRules } from './readRules.ts'
import type { Sentence, Word } from './readSentences.ts'
import { isSaleLine, readStatedBounds, type StatedBound } from './readStatedBounds.ts'
import { readSwap, type SwapReading } from './readSwap.ts'
import { largest, readCadences } from './readTimes.ts'
import { isVaultShare, unsignedBounds } from './unsignedBounds.ts'

/** A sentence requests a capability. */
export type Ask = {
  readonly capability: Capability
  readonly reach: Pattern['reach']
  readonly swap: SwapReading
  /** Symbols in order, including repetitions. */
  readonly symbols: readonly string[]
  readonly cents: bigint | undefined
  readonly cadence: number | undefined
  /** Maximum number of actions. */
  readonly calls: number | undefined
  readonly from: Evidence
}

/** A sentence forbids a capability, some of its pairs, or an asset in general. */
export type Denial = {
  readonly capability: Capability | undefined
  readonly pairs: readonly PlanPair[]
  readonly buys: readonly string[]
  readonly sells: readonly string[]
  readonly symbols: readonly string[]
  readonly from: Evidence
}

/**
 * What was done about an unclear place.
 *
 * - `notGranted`: the request was not granted.
 * - `narrowed`: of several readings, the narrowest was used.
 * - `notSigned`: it states something that the terms cannot express, so the chain does not check it.
 * - `check`: it was used as written, and may not have the intended effect.
 */
export type Outcome = 'notGranted' | 'narrowed' | 'notSigned' | 'check'

/** A place where the text is unclear, and what was done about it. */
export type Ambiguity = Evidence & { readonly question: string; readonly outcome: Outcome }

/** Records a question about the current sentence. */
export type Unclear = (question: string, outcome: Outcome) => void

/** "No more than 10% of the vault at once". */
export type VaultShare = { readonly bps: number; readonly from: Evidence }

/** Everything that one sentence states. */
export type SentenceReading = {
  readonly asks: readonly Ask[]
  readonly denials: readonly Denial[]
  readonly limits: readonly Limit[]
  readonly counts: readonly CountLimit[]
  readonly shares: readonly VaultShare[]
  /** Rules of a constitution. */
  readonly rules: readonly StatedRules[]
  readonly stated: readonly StatedBound[]
  readonly ambiguities: readonly Ambiguity[]
}

/** Reads one sentence: what it requests, forbids and limits, and what is unclear. */
export function readSentence(sentence: Sentence, assets: AssetReader): SentenceReading {
  // Most sentences contain nothing relevant, whatever they negate.
  if (!sentence.words.some((word) => word.matters || assets.symbol(word) !== undefined)) return silent
  const from: Evidence = { line: sentence.line, sentence: sentence.text }
  const asks: Ask[] = []
  const denials: Denial[] = []
  const limits: Limit[] = []
  const counts: CountLimit[] = []
  const shares: VaultShare[] = []
  const constitution: StatedRules[] = []
  const ambiguities: Ambiguity[] = []
  const unclear: Unclear = (question, outcome) => ambiguities.push({ ...from, question, outcome })
  const stated = readStatedBounds(sentence, from, unclear)
  // A line about sales names an address and a share, which mean nothing else.
  if (isSaleLine(sentence) || stated.some(({ type }) => type === 'publish'))
    return { ...silent, stated, ambiguities }
  // A foreign sentence can forbid, but not request.
  const foreign = sentence.words.some((word) => word.foreign)

  for (const segment of readSegments(sentence)) {
    const { words, negated } = segment
    const amounts = readMoney(words)
    const isRule =
      !foreign &&
      !sentence.replicants &&
      !sentence.question &&
      sentence.frame !== 'aside' &&
      // The share of an action or of a vault's rate is not a share of the portfolio in one asset.
      !stated.some(({ type }) => type === 'sizeShare' || type === 'floor')
    const { rules, used } = isRule
      ? readRules(words, amounts, assets, sentence.key, unclear)
      : { rules: undefined, used: new Set<number>() }
    if (rules) constitution.push({ rules, from })
    // An amount per session is a rule of the constitution, and not the size of an action.
    const money = amounts.filter(({ at }) => !used.has(at))
    const asked = findAsks(segment)
    const symbols = words.flatMap((word) => assets.symbol(word) ?? [])
    // "Trades of at most $5" contains a verb but requests nothing.
    const isAsk = asked.size > 0 && symbols.length > 0
    const count = readCounts(words)
    const rhythms = readCadences(words)
    if (count.cadence !== undefined) rhythms.push(count.cadence)
    const rhythm = largest(rhythms)
    denials.push(...findDenials(segment, assets, from))
    if (segment.excepted && words.some(({ text }, at) => negated[at] && deniedBy.has(text)))
      unclear(
        'The exception cannot be checked on chain, so this was forbidden without exception.',
        'narrowed',
      )
    const sends = words.some(
      ({ text, quoted }, at) => sendVerbs.has(text) && !quoted && !negated[at] && !isThing(words, at),
    )
    if (sends)
      unclear(
        'Sending to others is never granted: what the Golem buys or withdraws goes to your account.',
        'notGranted',
      )
    if (sentence.replicants) {
      const isSpawn = asked.has('SpawnReplicants')
      const states = money.length > 0 || (rhythms.length > 0 && !isSpawn) || count.calls !== undefined
      if (states && replicantTopic(sentence) === undefined)
        unclear(
          'This is about Replicants and sets no limit. Write, for example: replicant budget: $2/day',
          'notSigned',
        )
    } else {
      limits.push(
        ...readLimits(
          words,
          money,
          {
            asks: isAsk,
            names: symbols.length > 0,
            key: sentence.key,
            counts: count.calls !== undefined || stated.length > 0,
          },
          from,
          unclear,
        ),
      )
      for (let at = 0; at < words.length; at += 1) {
        const bps = bpsAt(words, at)
        if (bps !== undefined && isVaultShare(words, at)) shares.push({ bps, from })
      }
      // "At most 3 trades a day", "trade once a week": these apply to requests elsewhere.
      const states = rhythm !== undefined || count.calls !== undefined
      if (!isAsk && states && saysHowOften(words)) counts.push({ calls: count.calls, cadence: rhythm, from })
    }
    if (
      !foreign &&
      !sentence.replicants &&
      (isAsk || asked.size > 0 || negated.length > 0 || speaksOfBounds(words))
    )
      for (const question of unsignedBounds(words, assets, asked.size > 0, { used, stated }))
        unclear(question, 'notSigned')
    for (const [capability, reach] of asked) {
      const name = capabilityNames[capability]
      if (foreign)
        unclear(`Is this sentence in English? It was not read as a request to ${name}.`, 'notGranted')
      else if (sentence.question) unclear(`This is a question. Should the Golem ${name}?`, 'notGranted')
      else if (sentence.frame === 'aside')
        unclear(
          `This is under a heading for future plans or examples. Should the Golem ${name}?`,
          'notGranted',
        )
      else if (words.some(({ text }) => hedges.has(text)))
        unclear(`This sounds undecided. Should the Golem ${name}?`, 'notGranted')
      else if (sentence.replicants && capability !== 'SpawnReplicants')
        unclear(`This is about Replicants. Should this Golem itself ${name}?`, 'notGranted')
      else {
        const swap = readSwap(words, assets)
        for (const word of words) {
          if (assets.unknown(word))
            unclear(`${word.raw} is not a known asset. Which token is it?`, 'notGranted')
        }
        const all = askedCents(words, money, unclear)
        const cents = all !== undefined && count.parts !== undefined ? all / BigInt(count.parts) : all
        const per = money.find(({ perSeconds }) => perSeconds !== undefined)?.perSeconds
        if (new Set(rhythms).size > 1)
          unclear('Several intervals: which one applies? The longest was used.', 'narrowed')
        const cadence = rhythm ?? (per === undefined ? undefined : Math.ceil(per))
        const numbers = { cents, cadence, calls: count.calls }
        // Numbers beside a request for Replicants are not those of the Golem.
        const none = { cents: undefined, cadence: undefined, calls: undefined }
        asks.push({
          capability,
          reach,
          swap,
          symbols,
          ...(capability === 'SpawnReplicants' ? none : numbers),
          from,
        })
      }
    }
    if (asked.size === 0 && !foreign) {
      for (const [at, word] of words.entries()) {
        const question = vagueAsks.get(word.text)
        if (!question || word.quoted || negated[at] || isThing(words, at)) continue
        unclear(question, 'notGranted')
        break
      }
    }
  }
  return { asks, denials, limits, counts, shares, rules: constitution, stated, ambiguities }
}

/** Words of a sentence that states how often actions happen. */
const acts =
  wordSet(`act acts acting trade trades trading swap swaps swapping buy buys buying sell sells selling deposit
  deposits depositing order orders transaction transactions execution executions execute executes action actions move
  moves purchase purchases`)
/** Words that make a number of actions a limit. */
const limiting = wordSet('most only max maximum more than just exactly limit up')

/** "At most 3 trades a day", "Trade …", "The Golem acts …"; not "a trade went wrong once". */
function saysHowOften(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, at) => acts.has(text) && (at < 3 || words.some((word) => limiting.has(word.text))),
  )
}

const boundWords = wordSet('max maximum limit most cap until')

/** A sentence that states a share, or forbids or limits something, without a request. */
function speaksOfBounds(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, at) =>
      boundWords.has(text) || text.startsWith('€') || text.startsWith('£') || bpsAt(words, at) !== undefined,
  )
}

/** The name of a capability in a question to an owner. */
export const capabilityNames: Readonly<Record<Capability, string>> = {
  Swap: 'swap',
  ProvideLiquidity: 'provide liquidity',
  VaultManagement: 'use a vault',
  Bridge: 'bridge',
  SpawnReplicants: 'spawn Replicants',
  LimitOrders: 'place limit orders',
}

const silent: SentenceReading = {
  asks: [],
  denials: [],
  limits: [],
  counts: [],
  shares: [],
  rules: [],
  stated: [],
  ambiguities: [],
}

/** "the swap", "each deposit": a noun, not an instruction. */
function isThing(words: readonly Word[], at: number): boolean {
  return determiners.has(words[at - 1]?.text ?? '')
}

const swapBit = 1
const positions = /^(liquidity|lps?|pools?|positions?)$/

function findAsks(segment: Segment): Map<Capability, Pattern['reach']> {
  const { words, negated } = segment
  const asks = new Map<Capability, Pattern['reach']>()
  let [verbs, objects] = [0, 0]
  let rebalances = false
  for (const [at, word] of words.entries()) {
    if (word.quoted || negated[at]) continue
    objects |= word.objectOf
    if (word.verbOf === 0 || isThing(words, at)) continue
    // Liquidity is rebalanced without a swap; the first verb of a kind counts.
    if ((verbs & word.verbOf) === 0 && word.text.startsWith('rebalanc')) rebalances = true
    verbs |= word.verbOf
  }
  if (rebalances && words.some(({ text }) => positions.test(text))) verbs &= ~swapBit
  for (const [place, { capability, reach, objects: needed }] of patterns.entries()) {
    if (((verbs >> place) & 1) === 0 || (needed && ((objects >> place) & 1) === 0)) continue
    if (asks.get(capability) !== 'full') asks.set(capability, reach)
  }
  const at = words.findIndex((word, index) => word.text === 'lp' && !word.quoted && !negated[index])
  if (
    at >= 0 &&
    !isThing(words, at) &&
    /^(in|into|on|to|with)$|^[a-z]*(usdc|weth|eth)$/.test(words[at + 1]?.text ?? '')
  ) {
    asks.set('ProvideLiquidity', 'full')
  }
  return asks
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

function askedCents(words: readonly Word[], money: readonly Money[], unclear: Unclear) {
  const amounts = money.filter((amount) => !isPrice(words, amount))
  // "Swap $10 every hour, at most $50 a day": of an amount per action and one per period, the first is the
  // size.
  const sizes = amounts.filter(({ perSeconds }) => perSeconds === undefined)
  const counted = (sizes.length > 0 ? sizes : amounts).map(({ cents }) => cents)
  if (new Set(counted).size > 1)
    unclear('Several amounts: which one is for a single action? The smallest was used.', 'narrowed')
  return counted.length === 0 ? undefined : leastOf(counted[0] ?? 0n, ...counted)
}
