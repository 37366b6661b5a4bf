import { type ToldEvent, tellEvent } from '../up/tellEvent.ts'
import { cleanText } from './cells.ts'
import type { Tone } from './line.ts'
import type { Link, RosterRow, Seen, Watched, WatchState } from './watchState.ts'

/** An event as the office tells it. */
export type OfficeEvent = ToldEvent & {
  readonly sequence: number
  readonly golem: string
  readonly at: number
}

/** What changes the screen, other than a key. */
export type Happening =
  | { readonly is: 'link'; readonly link: Link }
  /** All Golems there are, up to an event. `isNewWorld`: what was told before is of another one. */
  | {
      readonly is: 'listed'
      readonly golems: readonly RosterRow[]
      readonly head: number
      readonly isNewWorld: boolean
    }
  /** Some of them, as they are now. */
  | { readonly is: 'refreshed'; readonly golems: readonly RosterRow[] }
  | { readonly is: 'seen'; readonly at: number; readonly status: Seen }
  | { readonly is: 'event'; readonly event: OfficeEvent }
  | { readonly is: 'working'; readonly text: string }
  | {
      readonly is: 'compiled'
      readonly golem: string
      readonly strategy: string
      readonly changes: readonly string[]
    }
  | { readonly is: 'done'; readonly text: string }
  | { readonly is: 'failed'; readonly text: string }

/** So much is remembered of each Golem, and of all. */
const mostHistory = 120
const mostNews = 500

/** The state after something happened. */
export function happen(state: WatchState, happening: Happening): WatchState {
  switch (happening.is) {
    case 'link':
      return { ...state, link: happening.link }
    case 'listed':
      return list(state, happening)
    case 'refreshed':
      return refresh(state, happening.golems)
    case 'seen':
      return see(state, happening)
    case 'event':
      return hear(state, happening.event)
    case 'working':
      return { ...state, work: cleanText(happening.text), notice: undefined }
    case 'compiled': {
      const { golem, strategy, changes } = happening
      return { ...state, work: undefined, mode: { is: 'weighing', golem, strategy, changes } }
    }
    case 'done':
      return { ...state, work: undefined, notice: { text: cleanText(happening.text), tone: 'good' } }
    case 'failed':
      return { ...state, work: undefined, notice: { text: cleanText(happening.text), tone: 'bad' } }
  }
}

function list(
  state: WatchState,
  { golems: rows, head, isNewWorld }: Happening & { is: 'listed' },
): WatchState {
  const known = new Map(isNewWorld ? [] : state.golems.map((golem) => [golem.id as string, golem]))
  const golems = rows.map((row) => meet(known.get(row.id), row)).sort(byLife)
  const isThere = golems.some(({ id }) => id === state.chosen)
  return {
    ...state,
    isListed: true,
    head,
    golems,
    chosen: isThere ? state.chosen : golems[0]?.id,
    news: isNewWorld ? [] : state.news,
  }
}

function refresh(state: WatchState, rows: readonly RosterRow[]): WatchState {
  const fresh = new Map(rows.map((row) => [row.id as string, row]))
  const golems = state.golems.map((golem) => {
    const row = fresh.get(golem.id)
    fresh.delete(golem.id)
    return row ? meet(golem, row) : golem
  })
  const more = [...fresh.values()].map((row) => meet(undefined, row))
  const all = more.length > 0 ? [...golems, ...more].sort(byLife) : golems
  return { ...state, golems: all, chosen: state.chosen ?? all[0]?.id }
}

function meet(known: Watched | undefined, row: RosterRow): Watched {
  const golem = { history: [], isBehind: false, seen: undefined, ...known, ...row, name: cleanText(row.name) }
  return remember(golem, row.survivalScore)
}

/** One value for each tick. */
function remember(golem: Watched, survivalScore: number | null): Watched {
  if (survivalScore === null || !golem.isBehind) return golem
  const history = [...golem.history, survivalScore / 100].slice(-mostHistory)
  return { ...golem, history, isBehind: false }
}

function byLife(a: Watched, b: Watched): number {
  return Number(a.status === 'dead') - Number(b.status === 'dead') || a.name.localeCompare(b.name)
}

function see(state: WatchState, { at, status }: Happening & { is: 'seen' }): WatchState {
  const { golem: id, status: is, phase, survivalScore, nextTick } = status
  return change(state, id, (golem) => ({
    ...remember(golem, survivalScore),
    status: is,
    phase,
    survivalScore,
    nextTick: is === 'dead' ? null : nextTick,
    seen: { at, status },
  }))
}

function change(state: WatchState, id: string, how: (golem: Watched) => Watched): WatchState {
  const place = state.golems.findIndex((golem) => golem.id === id)
  const golem = state.golems[place]
  return golem ? { ...state, golems: state.golems.with(place, how(golem)) } : state
}

function hear(state: WatchState, event: OfficeEvent): WatchState {
  const { sequence, at, golem, name } = event
  const heard = change(state, golem, (known) => {
    const recalled = recall(known, event)
    // What was listed is newer than the events before it.
    return sequence > state.head ? live(recalled, event) : recalled
  })
  const sentence = tellEvent(event)
  if (sentence === undefined) return heard
  const news = { sequence, at, golem, sentence: cleanText(sentence), tone: tones[name] }
  return { ...heard, news: [...heard.news, news].slice(-mostNews) }
}

/** What an event says of how a Golem was. */
function recall(golem: Watched, { name, body }: OfficeEvent): Watched {
  const { survivalScore } = fieldsOf(body)
  if (name === 'heartbeat.ticked') return { ...golem, isBehind: true }
  if (name !== 'vitals.published' || typeof survivalScore !== 'number') return golem
  return remember({ ...golem, isBehind: true }, survivalScore)
}

/** What an event says of how a Golem stands. */
function live(golem: Watched, { name, body }: OfficeEvent): Watched {
  const { nextTickAt, survivalScore, to, health } = fieldsOf(body)
  switch (name) {
    case 'heartbeat.ticked':
      return typeof nextTickAt === 'number' ? { ...golem, nextTick: nextTickAt * 1_000 } : golem
    case 'vitals.published':
      return typeof survivalScore === 'number' ? { ...golem, survivalScore } : golem
    case 'vitals.phaseChanged':
      return isPhase(to) ? { ...golem, phase: to } : golem
    case 'permission.health':
      return typeof health === 'string' ? { ...golem, health } : golem
    case 'DeathProtocolStarted':
      return { ...golem, status: 'dying' }
    case 'DeathCompleted':
      return { ...golem, status: 'dead', nextTick: null }
    default:
      return golem
  }
}

const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal'] as const

function isPhase(value: unknown): value is (typeof phases)[number] {
  return phases.some((phase) => phase === value)
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

const tones: Readonly<Record<string, Tone>> = {
  'action.landed': 'good',
  'action.intended': 'quiet',
  'golem.summoned': 'good',
  'custody.delegationGranted': 'good',
  'recovery.acting': 'good',
  'action.refused': 'bad',
  'heartbeat.stepFailed': 'warn',
  'heartbeat.anomaly': 'warn',
  'recovery.observing': 'warn',
  'owner.requestFiled': 'warn',
  'vitals.phaseChanged': 'warn',
  'custody.delegationRevoked': 'bad',
  DeathProtocolStarted: 'bad',
  DeathCompleted: 'bad',
}
