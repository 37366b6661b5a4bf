import { shortMoney, shortTime } from './amounts.ts'
import { gauge, sparkline } from './gauge.ts'
import type { Glyphs } from './glyphs.ts'
import { fitLine, type Line, lineWidth, span, type Tone } from './line.ts'
import type { Watched } from './watchState.ts'

/** A column of the list. */
type Column = {
  readonly title: string
  readonly width: number
  /** The higher, the sooner it is left out. */
  readonly drop: number
  cell(golem: Watched, now: number, glyphs: Glyphs): Line
}

/** What a phase or a status means for its owner. */
export const toneOf: Readonly<Record<string, Tone>> = {
  alive: 'good',
  thriving: 'good',
  stable: 'good',
  healthy: 'good',
  onboarding: 'accent',
  observing: 'warn',
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

/** How much of its signed time is left, from 0 to 1, and in seconds. */
export function runwayOf({ seen }: Watched, now: number): { share: number; seconds: number } | undefined {
  if (!seen) return undefined
  const { beganAt, endsAt } = seen.status
  const seconds = Math.max(0, endsAt - now / 1_000)
  return { seconds, share: endsAt > beganAt ? seconds / (endsAt - beganAt) : 0 }
}

/** A share that is left: the less, the louder. */
export function shareTone(share: number): Tone {
  return share >= 0.3 ? 'good' : share >= 0.1 ? 'warn' : 'bad'
}

/** When the next tick is. */
export function nextTickText({ status, nextTick }: Watched, now: number): string {
  if (nextTick === null || status === 'dead') return ''
  const seconds = Math.ceil((nextTick - now) / 1_000)
  if (seconds > 0) return shortTime(seconds)
  return seconds > -30 ? 'now' : `${shortTime(-seconds)} late`
}

/** What is known of nobody who was not looked at yet. */
const unknown = [span('·', 'quiet')]

function vitalityColumn(width: number): Column {
  return {
    title: 'VITALITY',
    width,
    drop: 1,
    cell({ survivalScore, history, status }, _now, glyphs) {
      if (survivalScore === null) return unknown
      const vitality = Math.floor(survivalScore / 100)
      const tone = status === 'dead' ? 'quiet' : vitalityTone(vitality)
      const line = sparkline(history.length > 0 ? history : [vitality], width - 4, glyphs)
      return [span(line, tone), span(`${vitality}`.padStart(4))]
    },
  }
}

function runwayColumn(width: number): Column {
  return {
    title: 'RUNWAY',
    width,
    drop: 2,
    cell(golem, now, glyphs) {
      const runway = runwayOf(golem, now)
      if (!runway) return unknown
      const tone = golem.status === 'dead' ? 'quiet' : shareTone(runway.share)
      return [span(gauge(runway.share, width - 7, glyphs), tone), span(shortTime(runway.seconds).padStart(7))]
    },
  }
}

function todayColumn(width: number, between: string): Column {
  return {
    title: 'TODAY',
    width,
    drop: 4,
    cell({ seen }) {
      const day = seen?.status.day
      if (!day) return unknown
      const used = Number(day.spentCents) / Number(day.limitCents)
      return [
        span(shortMoney(day.spentCents), used >= 0.9 ? 'warn' : undefined),
        span(`${between}${shortMoney(day.limitCents)}`, 'quiet'),
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

/** Where there is room. */
const wide: readonly Column[] = [
  {
    title: 'STATUS',
    width: 12,
    drop: 0,
    cell: ({ status }, _now, { dot }) => [span(`${dot} `, toneOf[status]), span(status)],
  },
  { title: 'PHASE', width: 12, drop: 0, cell: ({ phase, status }) => (status === 'dead' ? [] : word(phase)) },
  vitalityColumn(14),
  runwayColumn(15),
  todayColumn(14, ' of '),
  permissionColumn,
  tickColumn,
]

/** Where there is little. A living Golem's phase says enough. */
const narrow: readonly Column[] = [
  {
    title: 'STATE',
    width: 14,
    drop: 0,
    cell: ({ status, phase }, _now, { dot }) => {
      const text = status === 'alive' ? phase : status
      return [span(`${dot} `, toneOf[status]), span(text, toneOf[text])]
    },
  },
  vitalityColumn(9),
  runwayColumn(11),
  todayColumn(11, '/'),
  { ...permissionColumn, title: 'PERMIT', width: 8 },
  { ...tickColumn, title: 'TICK', width: 6 },
]

/** The least that a name gets, and the most. */
const leastName = 10
const mostName = 24

/** The heading and a line for each Golem, within so many columns. */
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
  let kept = all
  while (taken(kept) + leastName > width) {
    const last = Math.max(...kept.map(({ drop }) => drop))
    if (last === 0) break
    kept = kept.filter(({ drop }) => drop !== last)
  }
  return [nameColumn(Math.max(4, Math.min(mostName, width - taken(kept)))), ...kept]
}
