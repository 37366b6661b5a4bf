import type { Evidence } from '../permissionPlan.ts'
import { defaultRangeBps } from '../planLimits.ts'
import { conditions, hedges } from './lexicon.ts'
import type { Ambiguity } from './readSentence.ts'
import type { Sentence } from './readSentences.ts'
import { largest, readCadences } from './readTimes.ts'
import type { Grant } from './settleAsks.ts'

/** When a Golem closes its position: at a price of the pool’s priced asset, in cents of a dollar. */
export type ClosingPrice = { readonly type: 'below' | 'above'; readonly cents: bigint }

/**
 * How a Golem manages its liquidity. The chain enforces pool, tokens, recipient, fairness and amounts; these rules are
 * in the signed text, and the Golem keeps to them.
 */
export type LiquidityRules = {
  /** Both symbols in alphabetical order. */
  readonly pool: readonly [string, string]
  /** The fee of the pool in hundredths of a basis point; undefined if no sentence states it. */
  readonly fee: number | undefined
  /** How far the range reaches below and above the price. */
  readonly downBps: number
  readonly upBps: number
  /** Whether it opens a new range when the price leaves the old one. */
  readonly moves: boolean
  /** How often it collects fees; undefined if only a closing collects them. */
  readonly collectSeconds: number | undefined
  readonly closes: readonly ClosingPrice[]
  readonly because: readonly Evidence[]
}

/** What was read, and the sentences that it explains. */
export type LiquidityReading = {
  readonly rules: LiquidityRules | undefined
  readonly sentences: ReadonlySet<Sentence>
}

const number = String.raw`(\d+(?:\.\d+)?)\s*(?:%|percent)`
const between = new RegExp(String.raw`between\s*-?\s*${number}\s*and\s*\+?\s*${number}`)
const within = new RegExp(String.raw`(?:±|\+\s*\/\s*-|\+-|within)\s*${number}`)
const fee = /\/\s*[a-z]+\s+(0\.01|0\.05|0\.30?|1)\s*%|(0\.01|0\.05|0\.30?|1)\s*%\s*(?:fee|pool|tier)/
const moving = /^(?:move|shift|recenter|recentre|re-center|rebalance)\b.*\b(?:range|position|liquidity)\b/
const collecting = /^(?:collect|claim)\b.*\bfees?\b/
const closing = /^(?:close|exit|remove)\b.*\b(?:position|liquidity)\b.*\b(?:when|if|once)\b/
const atPrice = /\bprice\b.*\b(below|under|above|over)\s*\$?\s*(\d[\d,]*(?:\.\d{1,2})?)\s*$/

/**
 * Reads how to manage liquidity: the range and the fee beside the request, "Move the range when the price leaves it",
 * "Collect fees every week" and "Close the position when the price is below $2,000". Without a granted pool, nothing.
 */
export function readLiquidity(
  sentences: readonly Sentence[],
  grants: readonly Grant[],
  ambiguities: Ambiguity[],
): LiquidityReading {
  const used = new Set<Sentence>()
  const full = grants.filter(({ reach, pools }) => reach === 'full' && pools.length > 0)
  const pools = [...new Map(full.flatMap(({ pools }) => pools.map((pool) => [pool.join('/'), pool])))]
  const [first] = pools
  if (!first) return { rules: undefined, sentences: used }
  const because = full.map(({ from }) => from)
  if (pools.length > 1) {
    const question = `The Golem manages liquidity in one pool, ${first[0]}. For another one, summon a second Golem.`
    for (const { from } of full.slice(1)) ambiguities.push({ ...from, question, outcome: 'narrowed' })
  }
  let [downBps, upBps]: [number, number] = [defaultRangeBps, defaultRangeBps]
  let [poolFee, moves, collectSeconds]: [number | undefined, boolean, number | undefined] = [
    undefined,
    false,
    undefined,
  ]
  const closes: ClosingPrice[] = []
  const better: Ambiguity[] = []
  for (const sentence of sentences) {
    const from: Evidence = { line: sentence.line, sentence: sentence.text }
    const text = sentence.text
      .toLowerCase()
      .replaceAll('−', '-')
      .replace(/[.!]+$/, '')
    const isRequest = full.some((one) => one.from.line === from.line && one.from.sentence === from.sentence)
    if (isRequest) {
      const [, down, up] = between.exec(text) ?? []
      const [, both] = within.exec(text) ?? []
      const [low, high] = [toBps(down ?? both), toBps(up ?? both)]
      if (low !== undefined && high !== undefined && low > 0 && low < 10_000 && high > 0)
        [downBps, upBps] = [low, high]
      const [, one, other] = fee.exec(text) ?? []
      const share = one ?? other
      if (share !== undefined) poolFee = Math.round(Number(share) * 10_000)
      continue
    }
    if (!isPlain(sentence)) continue
    if (moving.test(text) && sentence.words.some(({ text: word }) => conditions.has(word))) {
      moves = true
      add()
    } else if (collecting.test(text)) {
      const every = largest(readCadences(sentence.words))
      if (every === undefined) continue
      collectSeconds = every
      add()
    } else if (closing.test(text)) {
      const [, side, price] = atPrice.exec(text) ?? []
      if (price === undefined) {
        const question =
          'The Golem does not close the position by this. Write, for example: Close the position when the price is below $2,000.'
        better.push({ ...from, question, outcome: 'notSigned' })
        continue
      }
      const type = side === 'below' || side === 'under' ? 'below' : 'above'
      closes.push({ type, cents: BigInt(Math.round(Number(price.replaceAll(',', '')) * 100)) })
      const question = 'The Golem itself closes it at this price; the chain does not check the condition.'
      better.push({ ...from, question, outcome: 'notSigned' })
      add()
    }

    function add() {
      used.add(sentence)
      because.push(from)
    }
  }
  explainBetter(ambiguities, better)
  const rules = { pool: first[1], fee: poolFee, downBps, upBps, moves, collectSeconds, closes, because }
  return { rules, sentences: used }
}

/**
 * Replaces what the general reading of a sentence said is not signed: it did not know that the Golem keeps to it.
 */
export function explainBetter(ambiguities: Ambiguity[], better: readonly Ambiguity[]): void {
  if (better.length === 0) return
  const keyOf = ({ line, sentence }: Evidence) => `${line} ${sentence}`
  const known = new Set(better.map(keyOf))
  const others = ambiguities.filter((one) => one.outcome !== 'notSigned' || !known.has(keyOf(one)))
  ambiguities.length = 0
  // One by one: a long text has more than a call takes arguments.
  for (const one of [...others, ...better]) ambiguities.push(one)
}

/** A sentence that says what to do, and nothing else: it is not negated, quoted, undecided or a question. */
function isPlain({ frame, question, words, replicants }: Sentence): boolean {
  if (frame !== 'plain' || question || replicants) return false
  return !words.some(({ negates, quoted, foreign, text }) => negates || quoted || foreign || hedges.has(text))
}

function toBps(percent: string | undefined): number | undefined {
  return percent === undefined ? undefined : Math.round(Number(percent) * 100)
}
