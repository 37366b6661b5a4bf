import type { StoredEvent } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { printable } from '../../terminal/printable.ts'
import { eventText, shownEvents } from '../../text/eventText.ts'
import { findGolem } from '../findGolem.ts'
import { type SignedSentence, signedSentences } from '../signedSentences.ts'
import { defineTask, type Hearing } from '../task.ts'
import { isoTime } from '../waitingFor.ts'
import { golemField } from './fields.ts'

/** The most entries of one call. */
const mostLogged = 1_000
/** How far before an outcome its decision can be. */
const decisionsBefore = 200

/** One thing that happened to a Golem. */
export type LogEntry = {
  readonly sequence: number
  readonly at: string
  readonly golem: string
  readonly name: string
  readonly event: string
  /** Follows the name. */
  readonly sentence: string
  /** The action, such as “swap USDC to WETH”; null for other events. */
  readonly action: string | null
  readonly cents: string | null
  readonly transaction: string | null
  /** The code of a refusal, what would make it pass, and the sentences of the strategy that it is about. */
  readonly code: string | null
  readonly remedy: string | null
  readonly signed: readonly SignedSentence[]
}

const body = z.looseObject({
  intent: z.string().optional(),
  summary: z.string().optional(),
  transaction: z.string().optional(),
  spentCents: z.string().optional(),
  valueCents: z.string().optional(),
  failure: z.looseObject({ code: z.string().optional(), remedy: z.string().optional() }).optional(),
})

/** What happened, newest first. With `follow`, also everything that happens later: each entry is told. */
export const log = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    limit: z.int().min(1).max(mostLogged),
    /** Milliseconds since 1970. */
    since: z.int().min(0).optional(),
    follow: z.boolean().default(false),
  }),
  async run(context, { golem: named, ...question }, hearing) {
    const golem = named === undefined ? undefined : (await findGolem(context, named)).id
    return readLog(context, { ...question, ...(golem && { golem }) }, hearing)
  },
})

type LogQuestion = {
  readonly golem?: Hash
  readonly limit: number
  readonly since?: number | undefined
  readonly follow: boolean
}

/** The entries of a store, newest first; with `follow` they are told, oldest first, until the signal is aborted. */
export async function readLog(
  { store }: Pick<Context, 'store'>,
  { golem, limit, since, follow }: LogQuestion,
  { tell, signal }: Pick<Hearing, 'tell' | 'signal'>,
): Promise<readonly LogEntry[]> {
  const of = { ...(golem && { golem }) }
  const { sequence: head } = await store.audit.head()
  const reader = createReader({ store })
  const latest = await store.events.latest({
    ...of,
    names: shownEvents,
    limit: limit * 2,
    before: head + 1,
    ...(since !== undefined && { since }),
  })
  const oldest = latest.at(-1)?.sequence
  // The decision of the oldest outcome is before the first entry.
  const earlier =
    oldest === undefined
      ? []
      : await store.events.latest({
          ...of,
          names: ['action.intended'],
          before: oldest,
          limit: decisionsBefore,
        })
  for (const event of [...latest, ...earlier].toReversed()) reader.learn(event)
  const shown = latest.filter((event) => reader.isShown(event, latest)).slice(0, limit)
  const entries = (await Promise.all(shown.map((event) => reader.read(event)))).flatMap((one) => one ?? [])
  if (!follow) return entries
  for (const entry of entries.toReversed()) tell(entry)
  for await (const event of store.events.subscribe({ ...of, after: head, signal })) {
    reader.learn(event)
    const entry = await reader.read(event)
    if (entry) tell(entry)
  }
  return []
}

/** Turns events into entries, with what it learned from earlier events. */
function createReader({ store }: Pick<Context, 'store'>) {
  const decided = new Map<string, { readonly summary: string; readonly cents: string | undefined }>()
  const golems = new Map<Hash, Promise<{ readonly name: string; readonly strategy: string } | undefined>>()
  const golemOf = (id: Hash) => {
    const known =
      golems.get(id) ??
      store.golems
        .find(id)
        .then((row) => row && { name: printable(row.name), strategy: row.strategy?.text ?? '' })
    golems.set(id, known)
    return known
  }
  const fieldsOf = ({ body: stored }: StoredEvent) => body.safeParse(stored).data ?? {}

  return {
    /** Remembers a decision, for its outcome. */
    learn(event: StoredEvent): void {
      const { intent, summary, valueCents } = fieldsOf(event)
      if (event.name === 'action.intended' && intent !== undefined && summary !== undefined)
        decided.set(intent, { summary: printable(summary), cents: valueCents })
    },
    /** A decision whose outcome is listed too is not listed by itself. */
    isShown(event: StoredEvent, all: readonly StoredEvent[]): boolean {
      if (event.name !== 'action.intended') return true
      const { intent } = fieldsOf(event)
      return !all.some((other) => other.name !== event.name && fieldsOf(other).intent === intent)
    },
    async read(event: StoredEvent): Promise<LogEntry | undefined> {
      const sentence = eventText(event)
      if (sentence === undefined) return undefined
      const golem = await golemOf(event.golem)
      const { intent, transaction, spentCents, valueCents, failure } = fieldsOf(event)
      const decision = intent === undefined ? undefined : decided.get(intent)
      const code = failure?.code ?? null
      return {
        sequence: event.sequence,
        at: isoTime(event.at),
        golem: event.golem,
        name: golem?.name ?? event.golem,
        event: event.name,
        sentence: printable(sentence),
        action: decision?.summary ?? null,
        cents: spentCents ?? valueCents ?? decision?.cents ?? null,
        transaction: transaction === undefined ? null : printable(transaction),
        code,
        remedy: failure?.remedy === undefined ? null : printable(failure.remedy),
        signed: code === null || !golem ? [] : signedSentences(golem.strategy, code),
      }
    },
  }
}
