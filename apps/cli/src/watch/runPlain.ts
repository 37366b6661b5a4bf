import type { Office } from '../office/office.ts'
import type { Terminal } from '../shell/terminal.ts'
import { timeOfDay } from './amounts.ts'
import { followOffice } from './followOffice.ts'
import { type Happening, happen } from './happen.ts'
import { sayGolem } from './sayGolem.ts'
import { nameOf, nothingYet, type WatchState } from './watchState.ts'

/** How lines are told. */
export type PlainOptions = {
  connect(): Promise<Office | undefined>
  /** Only of this one, by id. */
  readonly only: string | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Tells every change in a line, for screen readers, pipes and programs, until the signal is aborted. */
export async function runPlain({ connect, only, terminal, signal }: PlainOptions): Promise<void> {
  let state: WatchState = { ...nothingYet, chosen: only }
  const tell = (happening: Happening) => {
    const before = state
    state = happen(state, happening)
    for (const note of notesOf(before, state)) terminal.note(note)
    if (terminal.isJson)
      for (const value of changesOf(before, state, happening, only)) terminal.printJson(value)
    else for (const line of linesOf(before, state, happening, only)) terminal.print(line)
  }
  const shown = () => (only === undefined ? state.golems.slice(0, 1).map(({ id }) => id) : [only])
  await followOffice({ connect, tell, shown, now: Date.now, signal })
}

/** What a happening changed, in sentences: nothing that was said before. */
export function linesOf(
  before: WatchState,
  state: WatchState,
  happening: Happening,
  only: string | undefined,
): readonly string[] {
  const isMeant = (golem: string) => only === undefined || golem === only
  if (happening.is === 'listed') {
    if (before.isListed && !happening.isNewWorld) return []
    if (state.golems.length === 0)
      return ['No Golem lives here yet. Summon one in another terminal: bardo summon STRATEGY.md']
    return state.golems.filter(({ id }) => isMeant(id)).map((golem) => sayGolem(golem))
  }
  if (happening.is !== 'event' || !isMeant(happening.event.golem)) return []
  const last = state.news.at(-1)
  if (last?.sequence !== happening.event.sequence) return []
  // What was before is in the record: bardo audit export.
  if (last.sequence <= state.head) return []
  return [`${timeOfDay(last.at)} ${nameOf(state, last.golem)} ${last.sentence}`]
}

/** Whether somebody answers, for whoever wonders why nothing comes. */
export function notesOf(before: WatchState, { link }: WatchState): readonly string[] {
  if (link.is === 'live') return before.link.is === 'waiting' ? ['Connected.'] : []
  if (link.is !== 'waiting') return []
  const isSame = before.link.is === 'waiting' && before.link.because === link.because
  return isSame ? [] : [`${link.because} Waiting until somebody answers: start bardo up in another terminal.`]
}

/** The same for programs: states and events as they are. */
export function changesOf(
  before: WatchState,
  state: WatchState,
  happening: Happening,
  only: string | undefined,
): readonly unknown[] {
  const isMeant = (golem: string) => only === undefined || golem === only
  switch (happening.is) {
    case 'link':
      return JSON.stringify(before.link) === JSON.stringify(state.link)
        ? []
        : [{ is: 'link', link: state.link }]
    case 'listed':
    case 'refreshed':
      return happening.golems.filter(({ id }) => isMeant(id)).map((golem) => ({ is: 'golem', golem }))
    case 'seen':
      return isMeant(happening.status.golem) ? [{ is: 'status', status: happening.status }] : []
    case 'event': {
      const { event } = happening
      return event.sequence > state.head && isMeant(event.golem) ? [{ is: 'event', event }] : []
    }
    default:
      return []
  }
}
