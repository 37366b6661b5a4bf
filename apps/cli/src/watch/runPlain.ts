import type { Office } from '../rpc/office.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { timeOfDay } from '../text/timeOfDay.ts'
import { followOffice } from './followOffice.ts'
import { reduceEvent, type WatchChange } from './reduceEvent.ts'
import { sayGolem } from './sayGolem.ts'
import { nameOf, nothingYet, type WatchState } from './watchState.ts'

/** The options of the line output. */
export type PlainOptions = {
  connect(): Promise<Office | undefined>
  /** Show only the Golem with this id. */
  readonly only: string | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Prints one line per change, for screen readers, pipes and programs, until the signal is aborted. */
export async function runPlain({ connect, only, terminal, signal }: PlainOptions): Promise<void> {
  let state: WatchState = { ...nothingYet, chosen: only }
  const tell = (happening: WatchChange) => {
    const before = state
    state = reduceEvent(state, happening)
    for (const note of notesOf(before, state)) terminal.note(note)
    if (terminal.isJson)
      for (const value of changesOf(before, state, happening, only)) terminal.printJson(value)
    else for (const line of linesOf(before, state, happening, only)) terminal.print(line)
  }
  const shown = () => (only === undefined ? state.golems.slice(0, 1).map(({ id }) => id) : [only])
  await followOffice({ connect, tell, shown, now: Date.now, signal })
}

/** What a change means, in sentences that were not printed before. */
export function linesOf(
  before: WatchState,
  state: WatchState,
  happening: WatchChange,
  only: string | undefined,
): readonly string[] {
  const isShown = (golem: string) => only === undefined || golem === only
  if (happening.type === 'listed') {
    if (before.isListed && !happening.isNewWorld) return []
    if (state.golems.length === 0)
      return ['There is no Golem yet. Create one in another terminal: bardo summon STRATEGY.md']
    return state.golems.filter(({ id }) => isShown(id)).map((golem) => sayGolem(golem))
  }
  if (happening.type !== 'event' || !isShown(happening.event.golem)) return []
  const last = state.news.at(-1)
  if (last?.sequence !== happening.event.sequence) return []
  // Older events are in the audit log: bardo audit export.
  if (last.sequence <= state.head) return []
  return [`${timeOfDay(last.at)} ${nameOf(state, last.golem)} ${last.sentence}`]
}

/** The state of the connection, to explain why no lines come. */
export function notesOf(before: WatchState, { link }: WatchState): readonly string[] {
  if (link.type === 'live') return before.link.type === 'waiting' ? ['Connected.'] : []
  if (link.type !== 'waiting') return []
  const isSame = before.link.type === 'waiting' && before.link.because === link.because
  return isSame ? [] : [`${link.because} Waiting for a connection. Start it in another terminal: bardo up.`]
}

/** The same for programs: states and events as JSON. */
export function changesOf(
  before: WatchState,
  state: WatchState,
  happening: WatchChange,
  only: string | undefined,
): readonly unknown[] {
  const isShown = (golem: string) => only === undefined || golem === only
  switch (happening.type) {
    case 'link':
      return JSON.stringify(before.link) === JSON.stringify(state.link)
        ? []
        : [{ type: 'link', link: state.link }]
    case 'listed':
    case 'refreshed':
      return happening.golems.filter(({ id }) => isShown(id)).map((golem) => ({ type: 'golem', golem }))
    case 'seen':
      return isShown(happening.status.golem) ? [{ type: 'status', status: happening.status }] : []
    case 'event': {
      const { event } = happening
      return event.sequence > state.head && isShown(event.golem) ? [{ type: 'event', event }] : []
    }
    default:
      return []
  }
}
