import { setTimeout as pause } from 'node:timers/promises'
import { BardoError } from '@bardo/core'
import type { Office } from '../office/office.ts'
import type { Happening, OfficeEvent } from './happen.ts'
import type { RosterRow } from './watchState.ts'

/** What following needs of its surroundings. */
export type FollowPorts = {
  /** Undefined where nobody has the folder open. */
  connect(): Promise<Office | undefined>
  tell(happening: Happening): void
  /** The Golems that are shown, the chosen one first: only these are looked at closely. */
  shown(): readonly string[]
  now(): number
  readonly signal: AbortSignal
}

/** How long it waits before it tries again. */
const retryMs = 1_000
/** How often it is looked for something to look at. */
const roundMs = 250
/** What nothing happened to is looked at again after so long: the chosen one, and the others. */
const chosenMs = 10_000
const shownMs = 30_000
/** So many past events are told at the beginning. */
const mostPast = 2_000
const pageSize = 500
/** An office answers for so many at once. */
const mostAtOnce = 200

/** Tells all that happens in an office until the signal is aborted. A connection that is lost is said, and made anew. */
export async function followOffice(ports: FollowPorts): Promise<void> {
  const { tell, signal } = ports
  let cursor: number | undefined
  while (!signal.aborted) {
    const because = await session()
    if (signal.aborted) return
    tell({ is: 'link', link: { is: 'waiting', because } })
    await pause(retryMs, undefined, { signal }).catch(() => {})
  }

  /** One connection. Returns why it ended. */
  async function session(): Promise<string> {
    const over = new AbortController()
    try {
      await using office = await ports.connect()
      if (!office) return 'Nobody has this folder open.'
      const { golems, head } = await listAll(office)
      const isNewWorld = cursor !== undefined && head < cursor
      const after = cursor === undefined || isNewWorld ? Math.max(0, head - mostPast) : cursor
      tell({ is: 'listed', golems, head, isNewWorld })
      tell({ is: 'link', link: { is: 'live' } })
      const looking = createLooking(ports, office, AbortSignal.any([signal, over.signal]))
      const onEvent = (event: OfficeEvent) => {
        cursor = event.sequence
        tell({ is: 'event', event })
        if (event.sequence > head) looking.touch(event.golem)
      }
      const parts = [hear(office, after, AbortSignal.any([signal, over.signal]), onEvent), looking.ended]
      await Promise.race(parts).finally(() => over.abort())
      await Promise.allSettled(parts)
      return 'The connection is lost.'
    } catch (error) {
      return error instanceof BardoError ? error.message : 'The office cannot be asked.'
    } finally {
      over.abort()
    }
  }
}

async function listAll(office: Office): Promise<{ golems: readonly RosterRow[]; head: number }> {
  const golems: RosterRow[] = []
  // The first: what comes after it is told, whether or not a later page has it.
  let head: number | undefined
  for (;;) {
    const last = golems.at(-1)?.id
    const page = await office.ask('roster', { limit: pageSize, ...(last !== undefined && { after: last }) })
    golems.push(...page.golems)
    head ??= page.head
    if (page.golems.length < pageSize) return { golems, head }
  }
}

async function hear(
  office: Office,
  after: number,
  signal: AbortSignal,
  onEvent: (event: OfficeEvent) => void,
): Promise<void> {
  const listen = (part: unknown) => {
    if (isEvent(part)) onEvent(part)
  }
  await office.ask('events', { after }, { tell: listen, signal })
}

function isEvent(part: unknown): part is OfficeEvent {
  if (typeof part !== 'object' || part === null) return false
  return (
    'sequence' in part &&
    typeof part.sequence === 'number' &&
    'at' in part &&
    typeof part.at === 'number' &&
    'golem' in part &&
    typeof part.golem === 'string' &&
    'name' in part &&
    typeof part.name === 'string'
  )
}

/** Looks at what is shown, one at a time: what something happened to first, then what was not looked at for longest. */
function createLooking({ shown, now, tell }: FollowPorts, office: Office, signal: AbortSignal) {
  const touched = new Set<string>()
  const looks = new Map<string, number>()
  const run = async () => {
    while (!signal.aborted) {
      const next = touched.size > 0 ? await refresh() : dueOf(shown(), looks, now())
      if (next !== undefined) await look(next)
      else await pause(roundMs, undefined, { signal }).catch(() => {})
    }
  }
  return { touch: (golem: string) => touched.add(golem), ended: run() }

  async function refresh(): Promise<undefined> {
    const ids = [...touched].slice(0, mostAtOnce)
    for (const id of ids) {
      touched.delete(id)
      looks.set(id, Math.min(looks.get(id) ?? 0, now() - shownMs))
    }
    const { golems } = await office.ask('roster', { ids }, { signal })
    if (!signal.aborted) tell({ is: 'refreshed', golems })
  }

  async function look(golem: string): Promise<void> {
    looks.set(golem, now())
    try {
      const status = await office.ask('status', { golem }, { signal })
      if (!signal.aborted) tell({ is: 'seen', at: now(), status })
    } catch (error) {
      // One that is not summoned yet has nothing to show. A lost connection is heard of by the events.
      if (!(error instanceof BardoError)) throw error
    }
  }
}

function dueOf(
  shown: readonly string[],
  looks: ReadonlyMap<string, number>,
  now: number,
): string | undefined {
  const waits = shown.map((id, place) => {
    const since = now - (looks.get(id) ?? 0)
    return { id, since, isDue: since >= (place === 0 ? chosenMs : shownMs) }
  })
  const [first] = waits
  if (first?.isDue) return first.id
  return waits.filter(({ isDue }) => isDue).sort((a, b) => b.since - a.since)[0]?.id
}
