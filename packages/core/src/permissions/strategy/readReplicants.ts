import type { Evidence } from '../permissionPlan.ts'
import { defaultReplicants } from '../planLimits.ts'
import { childWords } from './lexicon.ts'
import { perDay, readMoney } from './readAmounts.ts'
import type { Ambiguity, Outcome } from './readSentence.ts'
import type { Sentence } from './readSentences.ts'
import { countAt, largest, readCadences, readSpan } from './readTimes.ts'

/** The limits of a Golem's Replicants. Each can only narrow what the Golem itself may do. */
export type ReplicantLimits = {
  /** The maximum number at the same time. */
  readonly most: number
  /** The maximum of one Replicant in any 24 hours. */
  readonly dayCents: bigint
  /** How often the Golem creates one by itself; undefined if no sentence says so. */
  readonly everySeconds: number | undefined
  /** The maximum lifetime of one; undefined if only the Golem's own window limits it. */
  readonly lifespanSeconds: number | undefined
  readonly because: readonly Evidence[]
}

type Topic = 'count' | 'budget' | 'lifespan'

const topics: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['replicants', 'count'],
  ['max replicants', 'count'],
  ['maximum replicants', 'count'],
  ['replicant budget', 'budget'],
  ['replicants budget', 'budget'],
  ['replicant lifespan', 'lifespan'],
  ['replicants lifespan', 'lifespan'],
  ['replicant lifetime', 'lifespan'],
])
/** The lines below a heading such as "Replicants". */
const underHeading: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['budget', 'budget'],
  ['daily budget', 'budget'],
  ['lifespan', 'lifespan'],
  ['lifetime', 'lifespan'],
  ['maximum', 'count'],
  ['count', 'count'],
])

/** What a line declares for Replicants; undefined if it is another sentence. */
export function replicantTopic({ key, replicants }: Pick<Sentence, 'key' | 'replicants'>): Topic | undefined {
  if (key === undefined) return undefined
  return topics.get(key) ?? (replicants ? underHeading.get(key) : undefined)
}

/**
 * Reads the limits of Replicants: lines such as `replicants: 2`, `replicant budget: $2/day` and
 * `replicant lifespan: 3 days`, and the number in "spawn two replicants". The narrowest of several counts.
 *
 * @param dayCents - the Golem's own daily limit. Without a line, it is split evenly between the Golem and its Replicants
 * @param requests - the sentences that request Replicants; without any, no limits are returned
 */
export function readReplicants(
  sentences: readonly Sentence[],
  requests: readonly Evidence[],
  dayCents: bigint,
  ambiguities: Ambiguity[],
): ReplicantLimits | undefined {
  const because: Evidence[] = []
  let every: number | undefined
  const least: { count?: number; cents?: bigint; seconds?: number } = {}
  for (const sentence of sentences) {
    const { line, text, words } = sentence
    const from: Evidence = { line, sentence: text }
    const tell = (question: string, outcome: Outcome) => ambiguities.push({ ...from, question, outcome })
    const topic = replicantTopic(sentence)
    const isRequest = requests.some((one) => one.line === line && one.sentence === text)
    if (topic === undefined && !isRequest) continue
    if (isRequest) every = largest([...(every === undefined ? [] : [every]), ...readCadences(words)])
    if (requests.length === 0) {
      tell(
        'This is about Replicants, which the strategy does not allow. Write: Spawn replicants.',
        'notSigned',
      )
      continue
    }
    const count = topic === undefined ? countBefore(words) : topic === 'count' ? countIn(words) : undefined
    const [money] = topic === 'budget' ? readMoney(words) : []
    const seconds = topic === 'lifespan' ? readSpan(words) : undefined
    if (count !== undefined) least.count = Math.min(least.count ?? count, count)
    if (money) {
      const cents = perDay(money.cents, money.perSeconds ?? 0)
      least.cents = least.cents !== undefined && least.cents < cents ? least.cents : cents
    }
    if (seconds !== undefined) least.seconds = Math.min(least.seconds ?? seconds, seconds)
    if (count !== undefined || money || seconds !== undefined) because.push(from)
    else if (topic !== undefined) {
      // The owner wrote a limit, which may be smaller than any default.
      least.count = 0
      tell(
        `The limit is not clear. No Replicants are allowed until it is. Write, for example: ${examples[topic]}`,
        'narrowed',
      )
    }
  }
  if (requests.length === 0) return undefined
  const most = least.count ?? defaultReplicants
  return {
    most,
    dayCents: least.cents ?? dayCents / BigInt(most + 1),
    everySeconds: every,
    lifespanSeconds: least.seconds,
    because,
  }
}

const examples: Readonly<Record<Topic, string>> = {
  count: 'replicants: 2',
  budget: 'replicant budget: $2/day',
  lifespan: 'replicant lifespan: 3 days',
}

/** The number after the colon. */
function countIn(words: Sentence['words']): number | undefined {
  const colon = words.findIndex(({ text }) => text === ':')
  const counts = words.flatMap((_, at) => (at > colon ? (countAt(words, at)?.value ?? []) : []))
  return counts.length > 0 ? Math.floor(Math.min(...counts)) : undefined
}

/** "Spawn two replicants", "spawn at most 3 small replicants". */
function countBefore(words: Sentence['words']): number | undefined {
  const child = words.findIndex(({ text }) => childWords.has(text))
  for (let at = Math.max(0, child - 3); at < child; at += 1) {
    const count = countAt(words, at)
    if (count && count.next <= child) return Math.floor(count.value)
  }
  return undefined
}
