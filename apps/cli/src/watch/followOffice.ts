import { setTimeout as pause } from 'node:timers/promises'
import { BardoError } from '@bardo/core'
import type { Office } from '../rpc/office.ts'
import type { OfficeEvent, WatchChange } from './reduceEvent.ts'
import type { RosterRow } from './watchState.ts'

/** What following needs. */
export type FollowPorts = {
  /** Undefined if no Bardo process is running for the data folder. */
  connect(): Promise<Office | undefined>
  tell(happening: WatchChange): void
  /** The Golems on the screen, the selected one first. Only their status is read. */
  shown(): readonly string[]
  now(): number
  readonly signal: AbortSignal
}

/** The pause before a new connection attempt. */
const retryMs = 1_000
/** How often it checks whether a status is due. */
const roundMs = 250
/** Without an event, the status is read again after this time: of the selected Golem, and of the others. */
const chosenMs = 10_000
const shownMs = 30_000
/** The most past events that are read at the start. */
const mostPast = 2_000
const pageSize = 500
/** The most ids in one request. */
const mostAtOnce = 200

/** Follows everything that happens until the signal is aborted. Reports a lost connection, and reconnects. */
export async function followOffice(ports: FollowPorts): Promise<void> {
  const { tell, signal } = ports
  let cursor: number | undefined
  while (!signal.aborted) {
    const because = await session()
    if (signal.aborted) return
    tell({ type: 'link', link: { type: 'waiting', because } })
    await pause(retryMs, undefined, { signal }).catch(() => {})
  }

  /** Runs one connection. Returns why it ended. */
  async function session(): Promise<string> {
    const over = new AbortController()
    try {
      await using office = await ports.connect()
      if (!office) return 'No Bardo process is running for this data folder.'
      const { golems, head } = await listAll(office)
      const isNewWorld = cursor !== undefined && head < cursor
      const after = cursor === undefined || isNewWorld ? Math.max(0, head - mostPast) : cursor
      tell({ type: 'listed', golems, head, isNewWorld })
      tell({ type: 'link', link: { type: 'live' } })
      const looking = createLooking(ports, office, AbortSignal.any([signal, over.signal]))
      const onEvent = (event: OfficeEvent) => {
        cursor = event.sequence
        tell({ type: 'event', event })
        if (event.sequence > head) looking.touch(event.golem)
      }
      const parts = [hear(office, after, AbortSignal.any([signal, over.signal]), onEvent), looking.ended]
      await Promise.race(parts).finally(() => over.abort())
      await Promise.allSettled(parts)
      return 'Connection lost.'
    } catch (error) {
      return error instanceof BardoError ? error.shortMessage : 'Unexpected error on the connection.'
    } finally {
      over.abort()
    }
  }
}

async function listAll(office: Office): Promise<{ golems: readonly RosterRow[]; head: number }> {
  const golems: RosterRow[] = []
  // The head of the first page: later events are streamed, even if a later page includes them.
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

/** Reads the status of the shown Golems one at a time: first those with new events, then the one read longest ago. */
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
    if (!signal.aborted) tell({ type: 'refreshed', golems })
  }

  async function look(golem: string): Promise<void> {
    looks.set(golem, now())
    try {
      const status = await office.ask('status', { golem }, { signal })
      if (!signal.aborted) tell({ type: 'seen', at: now(), status })
    } catch (error) {
      // A Golem that is still being summoned has no status. A lost connection ends the event stream.
      if (!(error instanceof BardoError)) throw error
    }
  }
}

function dueOf(
  shown: readonly string[],
  looks: ReadonlyMap<string, number>,
  now: number,
): string | undefined {
  const waits = shown.map((id, index) => {
    const since = now - (looks.get(id) ?? 0)
    return { id, since, isDue: since >= (index === 0 ? chosenMs : shownMs) }
  })
  const [first] = waits
  if (first?.isDue) return first.id
  return waits.filter(({ isDue }) => isDue).sort((a, b) => b.since - a.since)[0]?.id
}
