import type { Evidence } from '../permissionPlan.ts'
import { daySeconds, defaultLifespanSeconds, defaultRunwayCents, defaultSlippageBps } from '../planLimits.ts'
import type { AssetReader } from './assets.ts'
import { comparatives, conditions, hedges, ownWork } from './lexicon.ts'
import { perDay, readBps, readMoney } from './readAmounts.ts'
import { limitTime } from './readLimits.ts'
import type { Ambiguity, Outcome } from './readSentence.ts'
import type { Sentence } from './readSentences.ts'
import { behindCount, readCadence, readCadences, readSpan, smallest, spanFrom } from './readTimes.ts'

/** A number that the text declares, and where. */
export type Stated<Value> = { readonly value: Value; readonly from: Evidence }

/** What lines such as `budget: $50/day` declare. The narrowest of several numbers counts. */
export type Declarations = {
  readonly dayCents: Stated<bigint> | undefined
  /** A budget in an uncertain sentence: it can lower the daily limit, never raise it. */
  readonly dayLimit: Stated<bigint> | undefined
  /** Every budget with its period: a week's budget may be spent at once if the cadence is as long. */
  readonly budgets: readonly Stated<{ readonly cents: bigint; readonly seconds: number }>[]
  /** A budget without a period. */
  readonly total: Stated<bigint> | undefined
  readonly assets: readonly string[]
  readonly settlement: string | undefined
  readonly cadence: Stated<number> | undefined
  readonly lifespan: Stated<number> | undefined
  readonly slippageBps: Stated<number> | undefined
  readonly runwayCents: Stated<bigint> | undefined
  /** The sentences that state a term, whether it could be read or not. */
  readonly sentences: ReadonlySet<Sentence>
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Reads the lines that state terms. A statement with a negation can only narrow. */
export function readDeclarations(
  sentences: readonly Sentence[],
  assets: AssetReader,
  ambiguities: Ambiguity[],
) {
  const declared: Mutable<Declarations> = {
    dayCents: undefined,
    dayLimit: undefined,
    budgets: [],
    total: undefined,
    assets: [],
    settlement: undefined,
    cadence: undefined,
    lifespan: undefined,
    slippageBps: undefined,
    runwayCents: undefined,
    sentences: new Set(),
  }
  const effective = new Set<Sentence>()
  const budgets: Stated<{ cents: bigint; seconds: number }>[] = []
  const symbols = new Set<string>()
  let unreadable: Evidence | undefined
  for (const sentence of sentences) {
    const topic = topicOf(sentence)
    if (topic === undefined || sentence.replicants) continue
    const ask = (question: string, outcome: Outcome) => {
      effective.add(sentence)
      ambiguities.push({ ...from, question, outcome })
    }
    const from: Evidence = { line: sentence.line, sentence: sentence.text }
    const { words } = sentence
    const doubtful =
      !isStatement(sentence, topic) ||
      sentence.frame !== 'plain' ||
      sentence.question ||
      words.some(({ negates, quoted, text }, at) => {
        if (topic === 'lifespan' && !quoted && isOfLife(words, at)) return false
        return negates || quoted || conditions.has(text) || hedges.has(text)
      })
    const least = <Value extends bigint | number>(old: Stated<Value> | undefined, value: Value) => {
      if (old && old.value !== value) {
        ask('This is stated more than once, with different numbers. The narrowest was used.', 'narrowed')
      }
      effective.add(sentence)
      return old && old.value <= value ? old : { value, from }
    }
    switch (topic) {
      case 'budget': {
        const amounts = readMoney(words).map(({ cents, perSeconds }) => ({
          cents,
          seconds: perSeconds ?? readCadence(words) ?? limitTime(words),
        }))
        // The smallest of several amounts, per day.
        const [money, ...others] = amounts.sort((a, b) =>
          Number(perDay(a.cents, a.seconds ?? 0) - perDay(b.cents, b.seconds ?? 0)),
        )
        if (!money) {
          if (isStatement(sentence, topic)) unreadable ??= from
          break
        }
        const { cents, seconds } = money
        if (others.length > 0) ask('Several amounts: which is the budget? The smallest was used.', 'narrowed')
        if (doubtful) {
          ask('Is this the budget? It was used as an upper limit only.', 'narrowed')
          declared.dayLimit = least(declared.dayLimit, perDay(cents, seconds ?? 0))
        }
        if (seconds === undefined) {
          ask(
            'A budget for how long? It was used for the whole life. Write, for example: budget: $50/day',
            'narrowed',
          )
          declared.total = least(declared.total, cents)
        } else if (!doubtful) {
          declared.dayCents = least(declared.dayCents, perDay(cents, seconds))
          for (const { cents: most, seconds: time = daySeconds } of amounts)
            budgets.push({ value: { cents: most, seconds: time }, from })
        }
        break
      }
      case 'assets':
        if (doubtful) break
        effective.add(sentence)
        for (const word of words) if (assets.symbol(word)) symbols.add(assets.symbol(word) ?? '')
        break
      case 'settlement':
        if (doubtful) break
        effective.add(sentence)
        declared.settlement ??= words.map((word) => assets.symbol(word)).find((symbol) => symbol)
        break
      case 'cadence': {
        const named = readCadences(words)
        const colon = words.findIndex(({ text }) => text === ':')
        const alone = named.length === 0 ? spanFrom(words, colon + 1)?.seconds : undefined
        const values = alone === undefined ? named : [Math.ceil(alone)]
        if (values.length === 0) ask('How often? Write, for example: cadence: every 6 hours', 'notSigned')
        // A longer interval is narrower.
        for (const value of values) {
          effective.add(sentence)
          if (!declared.cadence || value > declared.cadence.value) declared.cadence = { value, from }
        }
        break
      }
      case 'lifespan': {
        const value = lifeOf(sentence)
        if (value === undefined) {
          if (isStatement(sentence, topic))
            ask('How long? Write, for example: lifespan: 14 days', 'notSigned')
          break
        }
        if (doubtful && value > defaultLifespanSeconds) {
          ask(
            'This did not set the lifetime. If it should, write, for example: lifespan: 14 days',
            'notSigned',
          )
          break
        }
        if (doubtful) ask('Is this the lifetime? It was used as an upper limit.', 'narrowed')
        declared.lifespan = least(declared.lifespan, value)
        break
      }
      case 'slippage': {
        const value = readBps(words)
        if (value === undefined) {
          if (sentence.words.some(({ text }) => /^\d|^percent$/.test(text)) || isStatement(sentence, topic))
            ask('How much slippage? Write, for example: slippage: 1%', 'notSigned')
        } else if (doubtful && value > defaultSlippageBps)
          ask('This did not set the slippage. If it should, write, for example: slippage: 1%', 'notSigned')
        else declared.slippageBps = least(declared.slippageBps, value)
        break
      }
      case 'runway': {
        const [money] = readMoney(words)
        if (!money) break
        const value = perDay(money.cents, money.perSeconds ?? 86_400)
        const narrow = doubtful && value > defaultRunwayCents ? defaultRunwayCents : value
        declared.runwayCents = least(declared.runwayCents, narrow)
        break
      }
    }
  }
  if (unreadable && !declared.dayCents) {
    // The owner wrote a budget, which may be smaller than any default.
    declared.dayLimit = { value: 0n, from: unreadable }
    const question = 'How much is the budget? It was read as $0. Write, for example: budget: $50/day'
    ambiguities.push({ ...unreadable, question, outcome: 'narrowed' })
  }
  return { ...declared, budgets, assets: [...symbols], sentences: effective } satisfies Declarations
}

type Topic = 'budget' | 'assets' | 'settlement' | 'cadence' | 'lifespan' | 'slippage' | 'runway'

const topics: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['budget', 'budget'],
  ['daily budget', 'budget'],
  ['weekly budget', 'budget'],
  ['spending limit', 'budget'],
  ['assets', 'assets'],
  ['asset', 'assets'],
  ['tokens', 'assets'],
  ['allowed assets', 'assets'],
  ['universe', 'assets'],
  ['settlement', 'settlement'],
  ['settlement asset', 'settlement'],
  ['quote', 'settlement'],
  ['base currency', 'settlement'],
  ['cadence', 'cadence'],
  ['frequency', 'cadence'],
  ['schedule', 'cadence'],
  ['rhythm', 'cadence'],
  ['interval', 'cadence'],
  ['every', 'cadence'],
  ['monthly budget', 'budget'],
  ['lifespan', 'lifespan'],
  ['duration', 'lifespan'],
  ['window', 'lifespan'],
  ['lifetime', 'lifespan'],
  ['slippage', 'slippage'],
  ['max slippage', 'slippage'],
  ['maximum slippage', 'slippage'],
  ['runway', 'runway'],
])

function topicOf({ key, words }: Sentence): Topic | undefined {
  const byKey = key === undefined ? undefined : topics.get(key)
  if (byKey) return byKey
  if (!words.some(({ states }) => states)) return undefined
  const says = (wanted: string) => words.some(({ text }) => text === wanted)
  if (says('budget')) return 'budget'
  if (says('slippage')) return 'slippage'
  return says('lifespan') || lastsFor(words) ? 'lifespan' : undefined
}

/** Verbs that end a life. */
const ends = /^(stop|stops|stopping|end|ends|expire|expires|quit|quits|cease|halt|finish|finishes)$/

/**
 * "Swap … for 3 days", "stop after two weeks", "close within 30 days". Only a day or more counts as a
 * lifetime.
 */
function lastsFor(words: Sentence['words']): boolean {
  const stops = words.some(({ text }) => ends.test(text) || /^(close|closes)$/.test(text))
  return words.some(({ text }, at) => {
    if (text !== 'for' && !(stops && /^(after|within|in)$/.test(text))) return false
    if (lifeOf({ words: words.slice(at), key: undefined }) === undefined) return false
    // "hold for 30 days" and "wait for an hour" are not about the Golem's lifetime.
    return !words
      .slice(0, at)
      .some((word) => /^(hold|holds|holding|keep|wait|waits|pause|pauses|lock|locked)$/.test(word.text))
  })
}

/**
 * "Stop after two weeks" ends a life and forbids nothing; "no more than" is a limit, "once a day" an
 * interval.
 */
function isOfLife(words: Sentence['words'], at: number): boolean {
  const [text, next] = [words[at]?.text ?? '', words[at + 1]?.text ?? '']
  if (ends.test(text) || text === 'after' || text === 'than') return true
  if (text === 'once') return behindCount(words, at + 1) !== undefined
  return /^(no|not)$/.test(text) && comparatives.has(next)
}

/**
 * The shortest lifetime that a sentence states: after "for", "after" or "within", or anywhere after a key.
 */
function lifeOf({ key, words }: Pick<Sentence, 'key' | 'words'>): number | undefined {
  if (key !== undefined && topics.get(key) === 'lifespan') return readSpan(words)
  const spans = words.flatMap(({ text }, at) => {
    if (!/^(for|after|within|in)$/.test(text)) return []
    // "for at most 14 days", "for no longer than a month".
    let from = at + 1
    while (
      /^(at|most|no|not|more|longer|than|up|to|a|maximum|max|of|the|next|exactly|only|another)$/.test(
        words[from]?.text ?? '',
      ) &&
      !spanFrom(words, from)
    )
      from += 1
    const seconds = spanFrom(words, from, 'short')?.seconds
    return seconds === undefined ? [] : [Math.floor(seconds)]
  })
  if (spans.length > 0) return smallest(spans)
  return words.some(({ text }) => text === 'lifespan') ? readSpan(words) : undefined
}

/** "Run for …", "The Golem runs for …", "It stops after …". */
function verbOf(words: Sentence['words']): string {
  const golem = words.findIndex(({ text }) => /^(golem|agent|bot|it)$/.test(text))
  const next = words[golem + 1]?.text ?? ''
  return /^(should|must|may|will|shall|then)$/.test(next) ? (words[golem + 2]?.text ?? '') : next
}

/**
 * Whether a sentence states a term outright: `key: value`, "the budget is …", "run for …", "swap … for 14
 * days".
 */
function isStatement({ key, words }: Sentence, topic: Topic): boolean {
  if (key !== undefined && topics.get(key) === topic) return true
  if (topic === 'lifespan') {
    if (words.some(({ text }) => text === 'lifespan')) return true
    const verb = verbOf(words)
    if (/^(run|runs|live|lives|last|lasts|operate|operates|close|closes)$/.test(verb) || ends.test(verb))
      return true
    // A request that says how long: its verb is at the start, or after its interval.
    return words.some(({ verbOf: bits }) => (bits & ownWork) !== 0) && lastsFor(words)
  }
  const text = words.map(({ text }) => text).join(' ')
  return topic === 'budget' && ownBudget.test(text)
}

/** Excludes another Golem's budget, and a proposed one. */
const ownBudget =
  /^(?:(?:the|its|our|my|a) )?(?:(?:golem|agent|bot|it) (?:has|gets) (?:a|the) )?(?:(?:daily|weekly|monthly) )?budget (?:is|of) \$? ?[\d,.]+[km]?(?: (?:usd|usdc|dollars))?(?: (?:daily|weekly|monthly|(?:\/|a|per|each|every) (?:day|week|month|hour)))?$/
