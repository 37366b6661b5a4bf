import { eachToken } from './eachToken.ts'
import {
  asideHeadings,
  childWords,
  deniedBy,
  foreignWords,
  hedges,
  negators,
  objectBits,
  ownWork,
  sendVerbs,
  termWords,
  vagueAsks,
  verbBits,
  wordSet,
} from './lexicon.ts'
import { asRead, hasForeignLetters } from './lookalikes.ts'
import { type Block, readBlocks } from './readBlocks.ts'

/** A word, number or punctuation mark of a sentence. */
export type Word = {
  /** In lower case. */
  readonly text: string
  readonly raw: string
  /** In code, in a link, in quotation marks or struck through: it can forbid, but not request. */
  readonly quoted: boolean
  readonly negates: boolean
  readonly foreign: boolean
  /** It can make a sentence request, forbid or limit: a capability, a token's symbol, an amount. */
  readonly matters: boolean
  /** Bits of the patterns in which it is a verb, and in which it is an object. */
  readonly verbOf: number
  readonly objectOf: number
  /** It may state a term, such as a budget. */
  readonly states: boolean
}

/** One sentence, with the meaning of the headings and lists around it. */
export type Sentence = {
  readonly line: number
  readonly text: string
  readonly words: readonly Word[]
  readonly frame: 'plain' | 'negated' | 'aside'
  readonly question: boolean
  /** It has the form `key: value`. */
  readonly key: string | undefined
  /** Its numbers are those of Replicants, by its own words or by its heading. */
  readonly replicants: boolean
}

/** The sentences of a Markdown strategy, in order. */
export function readSentences(text: string) {
  const { blocks, unclosed } = readBlocks(text)
  const sentences: Sentence[] = []
  const headings: { level: number; frame: Sentence['frame']; children: boolean }[] = []
  let intro: Sentence['frame'] = 'plain'
  let introChildren = false
  // Whether the previous block was such a lead-in: it applies to the next block even if that is not a list.
  let led = false
  const intern = interner()
  for (const block of blocks) {
    if (block.kind === 'heading') {
      while ((headings.at(-1)?.level ?? 0) >= block.level) headings.pop()
      const words = blockSentences(block, 'plain', false, intern).flatMap((sentence) => sentence.words)
      headings.push({ level: block.level, frame: headingFrame(words), children: namesChildren(words) })
      intro = 'plain'
      introChildren = false
      led = false
      continue
    }
    const outer = strongest(headings.map(({ frame }) => frame))
    if (block.kind === 'text' && !led) {
      intro = 'plain'
      introChildren = false
    }
    const frame = strongest([outer, intro])
    const children = introChildren || headings.some((heading) => heading.children)
    const read = blockSentences(block, frame, children, intern)
    // Push one by one: a block may have more sentences than a call takes arguments.
    for (const sentence of read) sentences.push(sentence)
    // "Never:" applies to the list below it; inside a list it can only narrow the list's own heading.
    const last = read.at(-1)
    led = false
    if (!last) continue
    const said = wordsFrame(last.words)
    led = last.words.at(-1)?.text === ':' || (last.words.length <= 2 && said !== 'plain')
    if (!led) continue
    intro = block.kind === 'item' ? strongest([intro, said]) : said
    introChildren = last.replicants
  }
  return { sentences, unclosed }
}

/** Words that include the Golem beside its Replicants: then the numbers apply to all of them. */
const jointly =
  /^(together|including|included|include|altogether|combined|overall|golem|agent|bot|itself|parent|plus|total|all)$/

/** Whether words are about Replicants without the Golem. */
function namesChildren(words: readonly Word[]): boolean {
  return words.some(({ text }) => isChild(text)) && !words.some(({ text }) => jointly.test(text))
}

/** "Each replicant trades …" is about Replicants; "swap …, and spawn replicants" is about the Golem. */
function aboutChildren(words: readonly Word[]): boolean {
  if (!namesChildren(words)) return false
  const child = words.findIndex(({ text }) => isChild(text))
  const isOwn = (at: number) => ((words[at]?.verbOf ?? 0) & ownWork) !== 0
  return !words.some((_, at) => isOwn(at) && (at < child || /^(and|,|then)$/.test(words[at - 1]?.text ?? '')))
}

function isChild(text: string): boolean {
  return childWords.has(text) || (text.includes("'") && childWords.has(text.replace(/'s?$/, '')))
}

function headingFrame(words: readonly Word[]): Sentence['frame'] {
  if (words.some(({ text }) => asideHeadings.has(text))) return strongest(['aside', wordsFrame(words)])
  return wordsFrame(words)
}

function wordsFrame(words: readonly Word[]): Sentence['frame'] {
  if (words.some(({ negates }) => negates)) return 'negated'
  return words.some(({ text }) => hedges.has(text)) ? 'aside' : 'plain'
}

function strongest(frames: readonly Sentence['frame'][]): Sentence['frame'] {
  if (frames.includes('negated')) return 'negated'
  return frames.includes('aside') ? 'aside' : 'plain'
}

const open = '\ue000'
const shut = '\ue001'
const abbreviations = /(?:^|[^\p{L}])(?:e\.g|i\.e|vs|etc|approx|max|min|incl|excl|no|cf|resp|ca|esp)$/iu

type Intern = (raw: string, quoted: boolean) => Word

/** Caches each distinct word: a long text has many sentences and few words. */
function interner(): Intern {
  const cache = [new Map<string, Word>(), new Map<string, Word>()] as const
  return (raw, quoted) => {
    const words = cache[quoted ? 1 : 0]
    let word = words.get(raw)
    if (!word) {
      word = describe(raw, quoted)
      words.set(raw, word)
    }
    return word
  }
}

const numberWords = wordSet(
  'once twice times percent hourly daily weekly monthly yearly drawdown mood moods emotion emotions emotional feelings arousal pleasure dominance gas until every one-off single',
)

function describe(written: string, quoted: boolean): Word {
  const foreignLetters = hasForeignLetters(written)
  const raw = foreignLetters ? asRead(written) : written
  const text = raw.toLowerCase()
  return {
    text,
    raw,
    quoted,
    negates: negators.has(text) || text.endsWith("n't") || text.startsWith('non-'),
    // Letters of another alphabet, or a word of another language.
    foreign: foreignLetters || foreignWords.has(text),
    matters:
      deniedBy.has(text) ||
      vagueAsks.has(text) ||
      sendVerbs.has(text) ||
      numberWords.has(text) ||
      text.startsWith('publish') ||
      /^[$\d]|[A-Z]{2}|^(us|w?eth|ether|w?btc|eurc|cb|wst|reth|dollars?$|bucks$)/.test(raw),
    verbOf: verbBits.get(text) ?? 0,
    objectOf: objectBits.get(text) ?? 0,
    states: termWords.has(text),
  }
}

function blockSentences(
  block: Block,
  frame: Sentence['frame'],
  children: boolean,
  intern: Intern,
): Sentence[] {
  const sentences: Sentence[] = []
  const marked = markQuotes(block.lines.map(({ text }) => text).join('\n'))
  let depth = 0
  let words: Word[] = []
  let start = 0
  let line = 0
  let startLine = -1
  const finish = (end: number, question: boolean) => {
    if (words.length > 0) {
      const cut = marked.slice(start, end)
      const text = (/[\n\ue000\ue001]/.test(cut) ? cut.replace(/[\s\ue000\ue001]+/g, ' ') : cut).trim()
      const number = block.lines[Math.max(startLine, 0)]?.number ?? 1
      const about = children || aboutChildren(words)
      sentences.push({ line: number, text, words, frame, question, key: keyOf(words), replicants: about })
    }
    words = []
    startLine = -1
    start = end
  }
  eachToken(marked, (raw, at) => {
    const end = at + raw.length
    if (raw === '\n') line += 1
    else if (raw === open) depth += 1
    else if (raw === shut) depth = Math.max(0, depth - 1)
    else if (raw[0] === '.' || raw[0] === '!' || raw[0] === '?') {
      // A full stop before a lower-case letter, or after "e.g", ends nothing; a negation must not be cut off.
      const next = /^[\s\ue000\ue001"'*_)]*(\S)?/u.exec(marked.slice(end, end + 40))?.[1]
      const before = marked.slice(Math.max(0, at - 8), at)
      if (next !== undefined && (/\p{Ll}/u.test(next) || (raw === '.' && abbreviations.test(before)))) return
      finish(end, raw.includes('?'))
    } else {
      if (startLine < 0) startLine = line
      const quoted = depth > 0 || block.mute
      if (raw.includes('-') || raw.endsWith("'")) {
        for (const part of splitPair(raw)) words.push(intern(part, quoted))
      } else words.push(intern(raw, quoted))
    }
  })
  finish(marked.length, false)
  return sentences.map(joinLimitOrders)
}

// WETH-USDC is two tokens of a pool; "cross-chain" is one word.
function splitPair(raw: string): string[] {
  const trimmed = raw.replace(/[-']+$/, '')
  return /^[A-Za-z]{2,8}-[A-Za-z]{2,8}$/.test(trimmed) && /[A-Z]{2}-\w*[A-Z]{2}/.test(trimmed)
    ? trimmed.split('-').flatMap((part, index) => (index === 0 ? [part] : ['/', part]))
    : [trimmed]
}

function markQuotes(text: string): string {
  if (!/[`~["“<*_]|:\/\//.test(text)) return text
  return text
    .replace(/`+([^`]*)`+/g, `${open}$1${shut}`)
    .replace(/~~([^~]*)~~/g, `${open}$1${shut}`)
    .replace(/!?\[([^\][]*)\]\([^()\n]*\)/g, `${open}$1${shut}`)
    .replace(/"([^"]*)"/g, `${open}$1${shut}`)
    .replace(/“([^“”]*)”/g, `${open}$1${shut}`)
    .replace(/https?:\/\/[^\s)]*/g, ' ')
    .replace(/<\/?(?:b|i|em|strong|u|p|br|span|div|a|li|ul|ol|sub|sup)(?: [^<>]{0,200})?\/?>/gi, ' ')
    .replace(/[*_]/g, '')
}

function keyOf(words: readonly Word[]): string | undefined {
  const colon = words.findIndex(({ text }) => text === ':')
  if (colon < 1 || colon > 4) return undefined
  return words
    .slice(0, colon)
    .map(({ text }) => text)
    .join(' ')
}

// "limit order" is one term; "limit" alone is another.
function joinLimitOrders(sentence: Sentence): Sentence {
  if (!sentence.words.some(({ text }) => text === 'limit')) return sentence
  const words: Word[] = []
  for (const word of sentence.words) {
    const before = words.at(-1)
    if (before?.text === 'limit' && /^orders?$/.test(word.text)) {
      words[words.length - 1] = { ...describe(`limit-${word.text}`, word.quoted), raw: word.raw }
    } else words.push(word)
  }
  return { ...sentence, words }
}
