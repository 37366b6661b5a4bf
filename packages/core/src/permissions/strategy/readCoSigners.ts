import { isAddress } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import type { CoSignerPlan, Evidence } from '../permissionPlan.ts'
import type { Ambiguity } from './readSentence.ts'
import type { Sentence } from './readSentences.ts'

/** The co-signers that a strategy states, and the sentences that state them. */
export type CoSignerReading = {
  readonly plan?: CoSignerPlan
  readonly from?: Evidence
  /** The text asks for co-signatures in a way that cannot be read. Nothing may be granted without them. */
  readonly isUnreadable: boolean
  readonly sentences: ReadonlySet<Sentence>
}

/** The most keys that a Cage holds. */
const mostMembers = 32

const coSigning = /^(co-?sign|counter-?sign)(s|ed|er|ers|ing|ature|atures)?$/
const numbers = new Map(
  'one two three four five six seven eight nine ten'.split(' ').map((word, index) => [word, index + 1]),
)
const count = `(\\d{1,2}|${[...numbers.keys()].join('|')})`
const statement = new RegExp(`\\b${count}\\s+of\\s+(?:the\\s+|these\\s+)?(?:${count}\\b)?(.*)$`, 'is')
const name = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u
const example = 'Write, for example: co-signers: 2 of scout, judge, 0x… (names of your Golems, or addresses)'

/**
 * Reads "Every action needs 2 of 3 co-signatures: 0x…, 0x…, 0x…" and "co-signers: 2 of scout, judge, 0x…". An unreadable
 * statement, or two that differ, is never dropped: to act without co-signatures would be wider than the text.
 */
export function readCoSigners(sentences: readonly Sentence[], ambiguities: Ambiguity[]): CoSignerReading {
  const effective = new Set<Sentence>()
  let [plan, from]: [CoSignerPlan | undefined, Evidence | undefined] = [undefined, undefined]
  let isUnreadable = false
  for (const sentence of sentences) {
    if (!sentence.words.some(({ text, quoted }) => !quoted && coSigning.test(text))) continue
    effective.add(sentence)
    const evidence: Evidence = { line: sentence.line, sentence: sentence.text }
    const ask = (question: string, outcome: Ambiguity['outcome']) =>
      ambiguities.push({ ...evidence, question, outcome })
    if (sentence.question || sentence.frame === 'aside') {
      ask(`Are co-signatures required? They were not signed. ${example}`, 'notSigned')
      continue
    }
    const read = planOf(sentence.text)
    if (typeof read === 'string') {
      isUnreadable = true
      ask(`${read} Nothing was granted. ${example}`, 'notGranted')
    } else if (plan && JSON.stringify(plan) !== JSON.stringify(read)) {
      isUnreadable = true
      ask(`Two sentences name different co-signers. Nothing was granted. ${example}`, 'notGranted')
    } else {
      plan = read
      from = evidence
    }
  }
  return { ...(plan && from && { plan, from }), isUnreadable, sentences: effective }
}

/**
 * Reads "2 of scout, judge, 0x…". Throws if it cannot be read.
 *
 * @example
 * parseCoSigners('2 of scout, judge, clerk') // { threshold: 2, members: ['scout', 'judge', 'clerk'] }
 */
export function parseCoSigners(text: string): CoSignerPlan {
  const plan = planOf(text)
  if (typeof plan !== 'string') return plan
  throw new BardoError('The co-signers cannot be read.', {
    code: 'INVALID_INPUT',
    details: [plan],
    remedy: 'Write, for example: 2 of scout, judge, 0x… (names of your Golems, or addresses)',
    docsPath: 'council.md',
  })
}

/** The plan, or what is wrong with the statement. */
function planOf(text: string): CoSignerPlan | string {
  const [, least, many, rest = ''] = statement.exec(text) ?? []
  if (least === undefined) return 'State the number of co-signatures and the co-signers.'
  const colon = rest.indexOf(':')
  if (many !== undefined && colon < 0) return `Which ${many}? Their names or addresses are missing.`
  const members = rest
    .slice(colon + 1)
    .split(/,|;|\band\b/)
    .map((part) => part.trim().replace(/\.$/, ''))
    .filter((part) => part !== '')
  const wrong = members.find((member) => !isMember(member))
  if (wrong !== undefined) return `"${wrong}" is neither a name nor an address.`
  const distinct = new Set(members.map((member) => member.toLowerCase()))
  if (distinct.size !== members.length) return 'A co-signer is listed twice.'
  if (members.length === 0 || members.length > mostMembers)
    return `There are ${members.length} co-signers; 1 to ${mostMembers} are possible.`
  if (many !== undefined && numberOf(many) !== members.length)
    return `${many} co-signers are stated and ${members.length} are listed.`
  const threshold = numberOf(least)
  if (threshold < 1 || threshold > members.length)
    return `${threshold} of ${members.length} co-signatures are not possible.`
  return { threshold, members }
}

/** A whole address, or a name that cannot be confused with one. */
function isMember(text: string): boolean {
  return /^0x/i.test(text) ? isAddress(text) : name.test(text)
}

function numberOf(text: string): number {
  return numbers.get(text.toLowerCase()) ?? Number(text)
}
