import { type Address, getAddress, isAddress } from 'viem'
import { phaseNames } from '../../phase/phase.ts'
import { leastOf } from '../leastOf.ts'
import type { Evidence } from '../permissionPlan.ts'
import { mostGasMicroEther } from '../planLimits.ts'
import { conditions, hedges } from './lexicon.ts'
import { bpsAt } from './readAmounts.ts'
import type { Unclear } from './readSentence.ts'
import type { Sentence, Word } from './readSentences.ts'

const axes = ['pleasure', 'arousal', 'dominance'] as const

/** An axis of an emotional state. */
type MoodAxis = (typeof axes)[number]

/** A bound of the terms that one sentence states outright. */
export type StatedBound = {
  readonly from: Evidence
} /** A bound that is not stated plainly can narrow a default, but not widen it. */ & (
  | { readonly type: 'mood'; readonly axis: MoodAxis; readonly value: number; readonly isPlain: boolean }
  | { readonly type: 'anyMood' }
  /** The minimum rate of a vault, as a share of the rate at signing. */
  | { readonly type: 'floor'; readonly bps: number; readonly isPlain: boolean }
  /** The size of one action as a share of the portfolio; without a phase, in every phase. */
  | { readonly type: 'sizeShare'; readonly bps: number; readonly phase: number | undefined }
  | { readonly type: 'gas'; readonly microEtherPerDay: bigint }
  | { readonly type: 'sale'; readonly author: Address; readonly bps: number }
  /** A publishing contract, by its name in the address book. */
  | { readonly type: 'publish'; readonly name: string }
  | { readonly type: 'noPublish' }
)

/**
 * Reads bounds on mood, vault rate, position size, gas, knowledge sales and publishing. A line that grants something, or
 * that lifts a default, must state it plainly: without a doubt, a condition, a quotation or a question.
 */
export function readStatedBounds(sentence: Sentence, from: Evidence, unclear: Unclear): StatedBound[] {
  if (sentence.replicants || sentence.words.some(({ foreign }) => foreign)) return []
  const isPlain =
    sentence.frame === 'plain' &&
    !sentence.question &&
    !sentence.words.some(({ quoted, text }) => quoted || hedges.has(text))
  return [
    ...moodIn(sentence, from, isPlain),
    ...floorIn(sentence, from, isPlain),
    ...sizeSharesIn(sentence, from),
    ...gasIn(sentence, from, isPlain, unclear),
    ...saleIn(sentence, from, isPlain, unclear),
    ...publishIn(sentence, from, isPlain, unclear),
  ]
}

const anyMood =
  /^(?:please )?(?:ignore|disregard) (?:(?:its|the|any|all|golem's) )*(?:moods?|emotions?|emotional state|feelings)$|^moods?: ?(?:any|ignore|ignored|none|off)$/
/** "arousal is above 60", "pleasure falls below -20", "dominance of at least −10". */
const moodLimit =
  /\b(pleasure|arousal|dominance)\b(?: (?:is|are|gets|goes|rises|falls|drops|exceeds|of|stays|remains))*(?: (?:to|at))?[ :]*(above|over|below|under|at most|at least|more than|less than|higher than|lower than|greater than|max|min|>=|<=|>|<)? ?(-|−|–|minus )? ?(\d{1,3})\b/g
const prohibits = /\b(?:do not|don't|never|no|not|stop|avoid|refuse|without)\b/
const upward = /^(?:above|over|more than|higher than|greater than|>|exceeds)$/
const downward = /^(?:below|under|less than|lower than|<)$/

function moodIn({ text, frame }: Sentence, from: Evidence, isPlain: boolean): StatedBound[] {
  const said = text
    .toLowerCase()
    .replace(/[.!]+$/, '')
    .trim()
  if (isPlain && anyMood.test(said)) return [{ type: 'anyMood', from }]
  const forbids = frame === 'negated' || prohibits.test(said)
  return [...said.matchAll(moodLimit)].flatMap(([whole, axisWord, named, sign, digits]): StatedBound[] => {
    const number = Number(digits) * (sign ? -1 : 1)
    const word = named ?? (whole.includes('exceeds') ? 'exceeds' : '')
    const axis = axes.find((one) => one === axisWord)
    const value = axis && boundOf(axis, word, number, forbids)
    return axis && value !== undefined ? [{ type: 'mood', axis: axis, value, isPlain, from }] : []
  })
}

/**
 * The terms hold a maximum of arousal and minimums of pleasure and dominance. "Do not trade above 60" allows
 * 60; "trade only below 60" allows 59.
 */
function boundOf(axis: MoodAxis, word: string, number: number, forbids: boolean): number | undefined {
  const [up, down] = [upward.test(word), downward.test(word)]
  const isMaximum = axis === 'arousal'
  const within = (value: number) => Math.max(-100, Math.min(100, value))
  if (forbids) return (isMaximum && up) || (!isMaximum && down) ? within(number) : undefined
  if (isMaximum && /^(?:at most|max|<=)$/.test(word)) return within(number)
  if (!isMaximum && /^(?:at least|min|>=)$/.test(word)) return within(number)
  if (isMaximum && down) return within(number - 1)
  return !isMaximum && up ? within(number + 1) : undefined
}

/** "Never leave the vault below 98 % of its rate", `vault floor: 98%`. */
function floorIn({ words, key }: Sentence, from: Evidence, isPlain: boolean): StatedBound[] {
  const isKey = key !== undefined && /^(?:vault floor|floor|vault rate floor)$/.test(key)
  const has = (pattern: RegExp) => words.some(({ text }) => pattern.test(text))
  if (!isKey && !(has(/^vaults?$/) && has(/^(?:below|under|least|floor)$/) && has(/^rates?$/))) return []
  return words.flatMap((_, at): StatedBound[] => {
    const bps = bpsAt(words, at)
    return bps === undefined || bps < 1 || bps > 10_000 ? [] : [{ type: 'floor', bps, isPlain, from }]
  })
}

const wholes = /^(?:portfolio|capital|holdings)(?:'s|’s)?$/
const keptThings = /^(?:hold|holds|holding|keep|keeps|keeping|exposure|allocate|allocation|allocations|in)$/

/** Without such a word, a share of the portfolio is a holding, which the constitution limits. */
const oneAction = /^(?:positions?|trades?|trading|swaps?|actions?|orders?|sizes?|transactions?)$/

/** "At most 30% of the portfolio per position", "20% in Stable". Not "30% in WETH": that is a holding. */
function sizeSharesIn({ words, key }: Sentence, from: Evidence): StatedBound[] {
  const isKey = key !== undefined && /^(?:max |maximum )?(?:position|position size|trade size)$/.test(key)
  const isPosition = words.some(
    ({ text }, at) => text === 'position' && /^max/.test(words[at - 1]?.text ?? ''),
  )
  const isOfAction =
    words.some(({ text }) => oneAction.test(text)) && words.some(({ text }) => wholes.test(text))
  if (!isKey && !isPosition && !isOfAction) return []
  if (words.some(({ text }) => /^(?:drawdown|loss|losses|slippage|vaults?)$/.test(text))) return []
  if (words.some(({ text }, at) => keptThings.test(text) && namesToken(words[at + 1]))) return []
  const places = words.flatMap((_, at) => (bpsAt(words, at) === undefined ? [] : [at]))
  return places.map((at, index) => ({
    type: 'sizeShare',
    bps: Math.min(bpsAt(words, at) ?? 0, 10_000),
    phase: phaseNear(words, at, places[index + 1] ?? words.length, index === 0 ? 0 : at),
    from,
  }))
}

function namesToken(word: Word | undefined): boolean {
  return word !== undefined && /^[A-Za-z]*[A-Z]{2}/.test(word.raw)
}

/** The phase that a share names: behind it, or before the only one. */
function phaseNear(words: readonly Word[], at: number, end: number, start: number): number | undefined {
  const phaseAt = (place: number) => phaseNames.findIndex((name) => name.toLowerCase() === words[place]?.text)
  for (let place = at + 1; place < end; place += 1) if (phaseAt(place) >= 0) return phaseAt(place)
  for (let place = start; place < at; place += 1) if (phaseAt(place) >= 0) return phaseAt(place)
  return undefined
}

const gasKey = /^(?:gas|gas limit|gas budget|gas allowance|gas cap|gas per day)$/
const gasAmount =
  /(\d+)(?:\.(\d+))? ?(?:eth|ether|celo)\b(?: ?\/ ?|,? (?:a|per|each|every|in any) ?)(day|24 hours|24h)|(?:daily|per day|a day):? (\d+)(?:\.(\d+))? ?(?:eth|ether|celo)\b/
const noGas =
  /^gas(?: limit| budget| allowance| cap)?: ?(?:none|no|off|0)(?: eth)?$|^(?:never|do not|don't) draw (?:any )?gas\b|^no gas (?:allowance|draw|draws)$/

/** `gas: 0.02 ETH per day`, "Draw at most 0.02 ETH a day for gas", `gas: none`. */
function gasIn({ text, key }: Sentence, from: Evidence, isPlain: boolean, unclear: Unclear): StatedBound[] {
  const said = text
    .toLowerCase()
    .replace(/[.!]+$/, '')
    .trim()
  if (noGas.test(said)) return [{ type: 'gas', microEtherPerDay: 0n, from }]
  const isKey = key !== undefined && gasKey.test(key)
  if (!isKey && !(/\bgas\b/.test(said) && /\bdraw/.test(said))) return []
  const match = gasAmount.exec(said)
  if (!match || !isPlain) {
    if (isKey || match)
      unclear('How much gas? The default applies. Write, for example: gas: 0.02 ETH per day', 'notSigned')
    return []
  }
  const [whole = '0', fraction = ''] = match[1] === undefined ? [match[4], match[5]] : [match[1], match[2]]
  const micro = BigInt(whole.slice(0, 6)) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
  if (micro > mostGasMicroEther)
    unclear(
      `More than ${mostGasMicroEther / 1_000_000n} ETH a day for gas cannot be signed: it was used.`,
      'narrowed',
    )
  return [{ type: 'gas', microEtherPerDay: leastOf(micro, mostGasMicroEther), from }]
}

/** `knowledge sale: 10% to 0x…`. The only address that a text can name, with its checksum. */
function saleIn(sentence: Sentence, from: Evidence, isPlain: boolean, unclear: Unclear): StatedBound[] {
  if (!isSaleLine(sentence)) return []
  const { text, words } = sentence
  const [author] = text.match(/\b0x[0-9a-fA-F]{40}\b/) ?? []
  const shares = words.flatMap((_, at) => bpsAt(words, at) ?? [])
  const [bps] = shares
  const isStated =
    isPlain && shares.length === 1 && !words.some(({ negates, text: one }) => negates || conditions.has(one))
  if (
    isStated &&
    bps !== undefined &&
    bps > 0 &&
    bps <= 10_000 &&
    author &&
    isAddress(author) &&
    getAddress(author) === author
  )
    return [{ type: 'sale', author, bps, from }]
  unclear(
    'Which author gets which share of a sale? Write, for example: knowledge sale: 10% to 0x…, with the checksum of the address.',
    'notGranted',
  )
  return []
}

const publishes =
  /^(?:please )?publish(?:es)? (?:(?:its|the) [a-z]+ )?(?:to|on|in) (?:the )?([a-z][a-z0-9_-]{0,30})$/

/** `Publish to ORACLE.` Only the named contract, and only one that the address book lists. */
function publishIn(sentence: Sentence, from: Evidence, isPlain: boolean, unclear: Unclear): StatedBound[] {
  if (!sentence.words.some(({ text }) => text.startsWith('publish'))) return []
  const forbids = sentence.frame === 'negated' || prohibits.test(sentence.text.toLowerCase())
  if (forbids) return [{ type: 'noPublish', from }]
  if (!/^(?:please )?publish(?:es)?\b/i.test(sentence.text.trim())) return []
  const said = sentence.text
    .toLowerCase()
    .replace(/[.!]+$/, '')
    .trim()
  const [, name] = publishes.exec(said) ?? []
  if (isPlain && name !== undefined) return [{ type: 'publish', name: name.toUpperCase(), from }]
  unclear(
    'Where may it publish? Write, for example: Publish to ORACLE, with a name of the address book.',
    'notGranted',
  )
  return []
}

/** Whether a line is about knowledge sales. */
export function isSaleLine({ key }: Pick<Sentence, 'key'>): boolean {
  return key !== undefined && /^(?:knowledge sales?|sell knowledge|sales? of knowledge)$/.test(key)
}
