import { type EventRecord, eventText } from '../text/eventText.ts'
import { cleanText } from './cells.ts'
import type { Tone } from './line.ts'
import type { Link, RosterRow, Seen, Watched, WatchState } from './watchState.ts'

/** An event of the stream. */
export type OfficeEvent = EventRecord & {
  readonly sequence: number
  readonly golem: string
  readonly at: number
}

/** A change of the state that does not come from a key. */
export type WatchChange =
  | { readonly type: 'link'; readonly link: Link }
  /** All Golems, up to the event `head`. `isNewWorld`: everything before belongs to another chain. */
  | {
      readonly type: 'listed'
      readonly golems: readonly RosterRow[]
      readonly head: number
      readonly isNewWorld: boolean
    }
  /** New rows of some Golems. */
  | { readonly type: 'refreshed'; readonly golems: readonly RosterRow[] }
  | { readonly type: 'seen'; readonly at: number; readonly status: Seen }
  | { readonly type: 'event'; readonly event: OfficeEvent }
  | { readonly type: 'working'; readonly text: string }
  | {
      readonly type: 'compiled'
      readonly golem: string
      readonly strategy: string
      readonly changes: readonly string[]
    }
  | { readonly type: 'done'; readonly text: string }
  | { readonly type: 'failed'; readonly text: string }

/** The most vitality values per Golem, and the most activity lines of all. */
const mostHistory = 120
const mostNews = 500

/** The state after a change. */
export function reduceEvent(state: WatchState, happening: WatchChange): WatchState {
  switch (happening.type) {
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
      return { ...state, work: undefined, mode: { type: 'weighing', golem, strategy, changes } }
    }
    case 'done':
      return { ...state, work: undefined, notice: { text: cleanText(happening.text), tone: 'good' } }
    case 'failed':
      return { ...state, work: undefined, notice: { text: cleanText(happening.text), tone: 'bad' } }
  }
}

function list(
  state: WatchState,
  { golems: rows, head, isNewWorld }: WatchChange & { type: 'listed' },
): WatchState {
  const previous = new Map(isNewWorld ? [] : state.golems.map((golem) => [golem.id as string, golem]))
  const golems = rows.map((row) => merge(previous.get(row.id), row)).sort(byLife)
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
    return row ? merge(golem, row) : golem
  })
  const more = [...fresh.values()].map((row) => merge(undefined, row))
  const all = more.length > 0 ? [...golems, ...more].sort(byLife) : golems
  return { ...state, golems: all, chosen: state.chosen ?? all[0]?.id }
}

function merge(previous: Watched | undefined, row: RosterRow): Watched {
  const golem = {
    history: [],
    isBehind: false,
    seen: undefined,
    ...previous,
    ...row,
    name: cleanText(row.name),
  }
  return remember(golem, row.survivalScore)
}

/** Adds one vitality value per tick. */
function remember(golem: Watched, survivalScore: number | null): Watched {
  if (survivalScore === null || !golem.isBehind) return golem
  const history = [...golem.history, survivalScore / 100].slice(-mostHistory)
  return { ...golem, history, isBehind: false }
}

function byLife(a: Watched, b: Watched): number {
  return Number(a.status === 'dead') - Number(b.status === 'dead') || a.name.localeCompare(b.name)
}

function see(state: WatchState, { at, status }: WatchChange & { type: 'seen' }): WatchState {
  const { golem: id, status: is, phase, survivalScore, nextTick } = status
  return change(state, id, (golem) => ({
    ...remember(golem, survivalScore),
    status: is,
    paused: status.pausedAt !== null,
    phase,
    survivalScore,
    nextTick: is === 'dead' ? null : nextTick,
    seen: { at, status },
  }))
}

function change(state: WatchState, id: string, how: (golem: Watched) => Watched): WatchState {
  const index = state.golems.findIndex((golem) => golem.id === id)
  const golem = state.golems[index]
  return golem ? { ...state, golems: state.golems.with(index, how(golem)) } : state
}

function hear(state: WatchState, event: OfficeEvent): WatchState {
  const { sequence, at, golem, name } = event
  const next = change(state, golem, (watched) => {
    const recalled = recall(watched, event)
    // Rows of the list are newer than the events before its head.
    return sequence > state.head ? live(recalled, event) : recalled
  })
  const sentence = eventText(event)
  if (sentence === undefined) return next
  const news = { sequence, at, golem, sentence: cleanText(sentence), tone: tones[name] }
  return { ...next, news: [...next.news, news].slice(-mostNews) }
}

/** Applies an event to the vitality history. */
function recall(golem: Watched, { name, body }: OfficeEvent): Watched {
  const { survivalScore } = fieldsOf(body)
  if (name === 'heartbeat.ticked') return { ...golem, isBehind: true }
  if (name !== 'vitals.published' || typeof survivalScore !== 'number') return golem
  return remember({ ...golem, isBehind: true }, survivalScore)
}

/** Applies an event to the current state of a Golem. */
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
    case 'golem.paused':
      return { ...golem, paused: true }
    case 'golem.resumed':
      return { ...golem, paused: false }
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
  'action.postponed': 'warn',
  'heartbeat.stepFailed': 'warn',
  'heartbeat.anomaly': 'warn',
  'recovery.observing': 'warn',
  'owner.requestFiled': 'warn',
  'vitals.phaseChanged': 'warn',
  'custody.delegationExpiring': 'warn',
  'sessionKey.budgetWarning': 'warn',
  'sessionKey.revoked': 'bad',
  'custody.delegationRevoked': 'bad',
  DeathProtocolStarted: 'bad',
  DeathCompleted: 'bad',
}
