import { formatCompactDollars, formatCompactDuration } from '@bardo/core'
import { gauge, sparkline } from './gauge.ts'
import type { Glyphs } from './glyphs.ts'
import { fitLine, type Line, lineWidth, span, type Tone } from './line.ts'
import type { Watched } from './watchState.ts'

/** A column of the list. */
type Column = {
  readonly title: string
  readonly width: number
  /** Columns with a higher number are left out first; 0 is never left out. */
  readonly drop: number
  cell(golem: Watched, now: number, glyphs: Glyphs): Line
}

/** The tone of a phase, a status or a health. */
export const toneOf: Readonly<Record<string, Tone>> = {
  alive: 'good',
  thriving: 'good',
  stable: 'good',
  healthy: 'good',
  onboarding: 'accent',
  observing: 'warn',
  paused: 'warn',
  conservation: 'warn',
  low: 'warn',
  declining: 'warn',
  dying: 'bad',
  terminal: 'bad',
  critical: 'bad',
  revoked: 'bad',
  dead: 'quiet',
}

/** Vitality from 0 to 100. */
export function vitalityTone(vitality: number): Tone {
  return vitality >= 50 ? 'good' : vitality >= 30 ? 'warn' : 'bad'
}

/** The signed time that is left: as a share from 0 to 1, and in seconds. */
export function timeLeftOf({ seen }: Watched, now: number): { share: number; seconds: number } | undefined {
  if (!seen) return undefined
  const { beganAt, endsAt } = seen.status
  const seconds = Math.max(0, endsAt - now / 1_000)
  return { seconds, share: endsAt > beganAt ? seconds / (endsAt - beganAt) : 0 }
}

/** The tone of a remaining share. */
export function shareTone(share: number): Tone {
  return share >= 0.3 ? 'good' : share >= 0.1 ? 'warn' : 'bad'
}

/** The time until the next tick as text. */
export function nextTickText({ status, nextTick }: Watched, now: number): string {
  if (nextTick === null || status === 'dead') return ''
  const seconds = Math.ceil((nextTick - now) / 1_000)
  if (seconds > 0) return formatCompactDuration(seconds)
  return seconds > -30 ? 'now' : `${formatCompactDuration(-seconds)} late`
}

/** Whether its shutdown has begun: it is dead, dying, or revoked on the chain. */
export function hasEnded({ status, seen }: Watched): boolean {
  return status === 'dead' || (seen !== undefined && seen.status.ended !== null)
}

/** Its status; `paused` if its owner paused it; `revoked` if the chain shows that and the Golem has not ticked since. */
export function stateOf(golem: Watched): string {
  const { status, paused } = golem
  if (hasEnded(golem) && status !== 'dead' && status !== 'dying') return 'revoked'
  return paused && (status === 'alive' || status === 'observing') ? 'paused' : status
}

/** The cell of a Golem whose status was not read yet. */
const unknown = [span('·', 'quiet')]

function vitalityColumn(width: number): Column {
  return {
    title: 'VITALITY',
    width,
    drop: 1,
    cell(golem, _now, glyphs) {
      const { survivalScore, history } = golem
      if (hasEnded(golem)) return []
      if (survivalScore === null) return unknown
      const vitality = Math.floor(survivalScore / 100)
      const tone = vitalityTone(vitality)
      const line = sparkline(history.length > 0 ? history : [vitality], width - 4, glyphs)
      return [span(line, tone), span(`${vitality}`.padStart(4))]
    },
  }
}

function expiryColumn(width: number): Column {
  return {
    title: 'EXPIRES',
    width,
    drop: 2,
    cell(golem, now, glyphs) {
      if (hasEnded(golem)) return []
      const time = timeLeftOf(golem, now)
      if (!time) return unknown
      const tone = shareTone(time.share)
      return [
        span(gauge(time.share, width - 7, glyphs), tone),
        span(formatCompactDuration(time.seconds).padStart(7)),
      ]
    },
  }
}

function todayColumn(width: number, between: string): Column {
  return {
    title: 'TODAY',
    width,
    drop: 4,
    cell(golem) {
      if (hasEnded(golem)) return []
      const day = golem.seen?.status.day
      if (!day) return unknown
      const used = Number(day.spentCents) / Number(day.limitCents)
      return [
        span(formatCompactDollars(day.spentCents), used >= 0.9 ? 'warn' : undefined),
        span(`${between}${formatCompactDollars(day.limitCents)}`, 'quiet'),
      ]
    },
  }
}

const word = (text: string): Line => [span(text, toneOf[text])]

const permissionColumn: Column = {
  title: 'PERMISSION',
  width: 10,
  drop: 5,
  cell: ({ health, seen, status }) => {
    if (status === 'dead') return []
    const failed = seen?.status.healthChecks.some(({ name, ok }) => name === 'permission' && !ok)
    return failed ? word('revoked') : health === null ? unknown : word(health)
  },
}

const tickColumn: Column = {
  title: 'NEXT TICK',
  width: 9,
  drop: 3,
  cell: (golem, now) => {
    const text = nextTickText(golem, now)
    return [span(text, text.endsWith('late') ? 'warn' : undefined)]
  },
}

const nameColumn = (width: number): Column => ({
  title: 'NAME',
  width,
  drop: 0,
  cell: ({ name }) => [span(name, undefined, true)],
})

/** The columns of a wide window. */
const wide: readonly Column[] = [
  {
    title: 'STATUS',
    width: 12,
    drop: 0,
    cell: (golem, _now, { dot }) => [span(`${dot} `, toneOf[stateOf(golem)]), span(stateOf(golem))],
  },
  { title: 'PHASE', width: 12, drop: 0, cell: (golem) => (hasEnded(golem) ? [] : word(golem.phase)) },
  vitalityColumn(14),
  expiryColumn(15),
  todayColumn(14, ' of '),
  permissionColumn,
  tickColumn,
]

/** The columns of a narrow window. For a living Golem, the phase stands for the status. */
const narrow: readonly Column[] = [
  {
    title: 'STATE',
    width: 14,
    drop: 0,
    cell: (golem, _now, { dot }) => {
      const state = stateOf(golem)
      const text = state === 'alive' ? golem.phase : state
      return [span(`${dot} `, toneOf[state]), span(text, toneOf[text])]
    },
  },
  vitalityColumn(9),
  expiryColumn(11),
  todayColumn(11, '/'),
  { ...permissionColumn, title: 'PERMIT', width: 8 },
  { ...tickColumn, title: 'TICK', width: 6 },
]

/** The least and the most columns of a name. */
const leastName = 10
const mostName = 24

/** The heading and a line for each Golem, within `width` columns. */
export function golemTable(
  golems: readonly Watched[],
  {
    width,
    chosen,
    now,
  }: { readonly width: number; readonly chosen: string | undefined; readonly now: number },
  glyphs: Glyphs,
): readonly Line[] {
  const columns = columnsFor(width)
  const row = (lead: Line, cells: readonly Line[]): Line => [
    ...fitLine(lead, 2, glyphs),
    ...cells.flatMap((cell, at) => [
      ...fitLine(cell, columns[at]?.width ?? lineWidth(cell), glyphs),
      ...(at < cells.length - 1 ? [span('  ')] : []),
    ]),
  ]
  const heading = row(
    [],
    columns.map(({ title }) => [span(title, 'quiet')]),
  )
  return [
    heading,
    ...golems.map((golem) =>
      row(
        [span(golem.id === chosen ? glyphs.chosen : ' ', 'accent', true)],
        columns.map(({ cell }) => cell(golem, now, glyphs)),
      ),
    ),
  ]
}

function columnsFor(width: number): readonly Column[] {
  const taken = (columns: readonly Column[]) => columns.reduce((sum, one) => sum + one.width + 2, 2)
  const all = taken(wide) + leastName <= width ? wide : narrow
  let remaining = all
  while (taken(remaining) + leastName > width) {
    const last = Math.max(...remaining.map(({ drop }) => drop))
    if (last === 0) break
    remaining = remaining.filter(({ drop }) => drop !== last)
  }
  return [nameColumn(Math.max(4, Math.min(mostName, width - taken(remaining)))), ...remaining]
}
