import type { Evidence } from '../permissionPlan.ts'
import { daySeconds, defaultLifespanSeconds, defaultRunwayCents, defaultSlippageBps } from '../planLimits.ts'
import type { AssetReader } from './assets.ts'
import { conditions, hedges } from './lexicon.ts'
import {
  perDay,
  readBps,
  readCadence,
  readCadences,
  readMoney,
  readSpan,
  unitSeconds,
} from './readAmounts.ts'
import type { Ambiguity } from './readSentence.ts'
import type { Sentence } from './readSentences.ts'

/** A number that the text states by itself, and where. */
export type Stated<Value> = { readonly value: Value; readonly from: Evidence }

/** What lines such as `budget: $50/day` say. Of several numbers the narrowest counts. */
export type Declarations = {
  readonly dayCents: Stated<bigint> | undefined
  /** A budget in a sentence that leaves doubts: it can lower the day's limit, never raise it. */
  readonly dayLimit: Stated<bigint> | undefined
  /** A budget for a week or longer: it may be spent at once, if the cadence is as long. */
  readonly longBudget: Stated<{ readonly cents: bigint; readonly seconds: number }> | undefined
  readonly assets: readonly string[]
  readonly settlement: string | undefined
  readonly cadence: Stated<number> | undefined
  readonly lifespan: Stated<number> | undefined
  readonly slippageBps: Stated<number> | undefined
  readonly runwayCents: Stated<bigint> | undefined
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** Reads the lines that state terms. What is stated with a negation only ever narrows. */
export function readDeclarations(
  sentences: readonly Sentence[],
  assets: AssetReader,
  ambiguities: Ambiguity[],
) {
  const found: Mutable<Declarations> = {
    dayCents: undefined,
    dayLimit: undefined,
    longBudget: undefined,
    assets: [],
    settlement: undefined,
    cadence: undefined,
    lifespan: undefined,
    slippageBps: undefined,
    runwayCents: undefined,
  }
  const symbols = new Set<string>()
  let unreadable: Evidence | undefined
  for (const sentence of sentences) {
    const topic = topicOf(sentence)
    if (topic === undefined) continue
    const from: Evidence = { line: sentence.line, sentence: sentence.text }
    const { words } = sentence
    const doubtful =
      !isStatement(sentence, topic) ||
      sentence.frame !== 'plain' ||
      sentence.question ||
      words.some(({ negates, quoted, text }) => negates || quoted || conditions.has(text) || hedges.has(text))
    // What is doubtful may lower a default, never raise it.
    const sure = (value: number, otherwise: number) => (doubtful ? Math.min(value, otherwise) : value)
    const least = <Value extends bigint | number>(old: Stated<Value> | undefined, value: Value) => {
      if (old && old.value !== value) {
        ambiguities.push({
          ...from,
          question: 'This is stated more than once, with different numbers. The narrowest was taken.',
        })
      }
      return old && old.value <= value ? old : { value, from }
    }
    switch (topic) {
      case 'budget': {
        const amounts = readMoney(words).map(({ cents, perSeconds }) => ({
          cents,
          seconds: perSeconds ?? readCadence(words),
        }))
        // Of several amounts the least a day.
        const [money, ...others] = amounts.sort((a, b) =>
          Number(perDay(a.cents, a.seconds ?? 0) - perDay(b.cents, b.seconds ?? 0)),
        )
        if (!money) {
          if (isStatement(sentence, topic)) unreadable ??= from
          break
        }
        const { cents, seconds } = money
        if (others.length > 0)
          ambiguities.push({
            ...from,
            question: 'Several amounts: which is the budget? The least was taken.',
          })
        if (seconds === undefined || doubtful) {
          const question = doubtful
            ? 'Is this the budget? It was taken as a bound only.'
            : 'A budget for how long? Write it as in "budget: $50/day".'
          ambiguities.push({ ...from, question })
          found.dayLimit = least(found.dayLimit, perDay(cents, seconds ?? 0))
          break
        }
        found.dayCents = least(found.dayCents, perDay(cents, seconds))
        if (found.dayCents.from !== from) break
        const long = seconds > daySeconds && others.length === 0
        found.longBudget = long ? { value: { cents, seconds }, from } : undefined
        break
      }
      case 'assets':
        if (!doubtful)
          for (const word of words) if (assets.symbol(word)) symbols.add(assets.symbol(word) ?? '')
        break
      case 'settlement':
        if (!doubtful) found.settlement ??= words.map((word) => assets.symbol(word)).find((symbol) => symbol)
        break
      case 'cadence': {
        const named = readCadences(words)
        const alone = named.length === 0 ? unitSeconds(words.at(-1)?.text) : undefined
        // A longer distance is the narrower one.
        for (const value of alone === undefined ? named : [alone])
          if (!found.cadence || value > found.cadence.value) found.cadence = { value, from }
        break
      }
      case 'lifespan': {
        const value = readSpan(words)
        if (value === undefined) break
        if (doubtful)
          ambiguities.push({ ...from, question: 'Is this how long it lives? It was taken as a bound.' })
        found.lifespan = least(found.lifespan, sure(value, defaultLifespanSeconds))
        break
      }
      case 'slippage': {
        const value = readBps(words)
        if (value !== undefined) found.slippageBps = least(found.slippageBps, sure(value, defaultSlippageBps))
        break
      }
      case 'runway': {
        const [money] = readMoney(words)
        if (!money) break
        const value = perDay(money.cents, money.perSeconds ?? 86_400)
        const narrow = doubtful && value > defaultRunwayCents ? defaultRunwayCents : value
        found.runwayCents = least(found.runwayCents, narrow)
        break
      }
    }
  }
  if (unreadable && !found.dayCents) {
    // Somebody wrote a budget down. It may be smaller than any default.
    found.dayLimit = { value: 0n, from: unreadable }
    ambiguities.push({ ...unreadable, question: 'How much is the budget? Write it as in "budget: $50/day".' })
  }
  return { ...found, assets: [...symbols] } satisfies Declarations
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

/** "Swap … for 3 days", "stop after two weeks". */
function lastsFor(words: Sentence['words']): boolean {
  const stops = words.some(({ text }) => /^(stop|stops|end|ends|expire|expires|quit)$/.test(text))
  return words.some(({ text }, at) => {
    if (text !== 'for' && !(stops && text === 'after')) return false
    return readSpan(words.slice(at + 1, at + 3)) !== undefined
  })
}

/** "Run for …", "The Golem runs for …". */
function verbOf(words: Sentence['words']): string {
  const golem = words.findIndex(({ text }) => /^(golem|agent|bot)$/.test(text))
  return words[golem + 1]?.text ?? ''
}

/** Whether a sentence states a term outright: `key: value`, "the budget is …", "run for …". */
function isStatement({ key, words }: Sentence, topic: Topic): boolean {
  if (key !== undefined && topics.get(key) === topic) return true
  if (topic === 'lifespan') {
    return words.some(({ text }) => text === 'lifespan') || /^(run|runs|live|lives)$/.test(verbOf(words))
  }
  const said = words.map(({ text }) => text).join(' ')
  return topic === 'budget' && ownBudget.test(said)
}

/** Whose budget it is matters, and whether anything is added: another Golem's is none, nor is a proposed one. */
const ownBudget =
  /^(?:(?:the|its|our|my|a) )?(?:(?:golem|agent|bot|it) (?:has|gets) (?:a|the) )?(?:(?:daily|weekly|monthly) )?budget (?:is|of) \$? ?[\d,.]+[km]?(?: (?:usd|usdc|dollars))?(?: (?:daily|weekly|monthly|(?:\/|a|per|each|every) (?:day|week|month|hour)))?$/
