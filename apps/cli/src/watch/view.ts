import { wrapText } from '../terminal/wrapText.ts'
import { timeOfDay } from '../text/timeOfDay.ts'
import { widthOf } from './cells.ts'
import type { Glyphs } from './glyphs.ts'
import { golemTable } from './golemColumns.ts'
import { golemDetail } from './golemDetail.ts'
import { layoutOf, smallest, type WindowSize } from './layout.ts'
import { fitLine, type Line, lineWidth, panel, type Span, span } from './line.ts'
import { chosenOf, nameOf, type Watched, type WatchState } from './watchState.ts'

/** What the view depends on beside the state. */
export type Looks = { readonly size: WindowSize; readonly now: number; readonly glyphs: Glyphs }

/** Draws a state: exactly one line per row of the window, each exactly as wide as the window. */
export function viewOf(state: WatchState, { size, now, glyphs }: Looks): readonly Line[] {
  const layout = layoutOf(size, state.golems.length)
  if (!layout) return tooSmall(size, glyphs)
  const { columns, rows } = size
  const inner = columns - 4
  const sheet = sheetOf(state)
  const chosen = chosenOf(state)
  const body = (): readonly Line[] => {
    if (sheet) return panel(sheet.title, sheet.lines, { columns, rows: rows - 3 }, glyphs)
    const page = pageOf(state, layout.pageSize)
    const list = panel(
      page.title,
      page.golems.length > 0
        ? golemTable(page.golems, { width: inner, chosen: state.chosen, now }, glyphs)
        : emptyList(state),
      { columns, rows: layout.list },
      glyphs,
    )
    const detail =
      layout.detail.rows === 0
        ? []
        : panel(
            [span(chosen?.name ?? 'No Golem selected', 'accent', true)],
            chosen ? golemDetail(chosen, layout.detail.columns - 4, now, glyphs) : [],
            layout.detail,
            glyphs,
          )
    const news = panel(
      [span('Activity', 'accent', true)],
      newsLines(state, { columns: layout.news.columns - 4, rows: layout.news.rows - 2 }),
      layout.news,
      glyphs,
    )
    const lower = layout.isSideBySide
      ? detail.map((line, at) => [...line, ...(news[at] ?? [])])
      : [...detail, ...news]
    return [...list, ...lower]
  }
  return [
    header(state, columns, now, glyphs),
    ...body(),
    fitLine([span(' '), ...bottomLine(state, glyphs)], columns, glyphs),
    fitLine(keys(state, glyphs), columns, glyphs),
  ]
}

/** The Golems on the current page. */
export function pageOf(
  { golems, chosen, isListed }: WatchState,
  size: number,
): { readonly title: Line; readonly golems: readonly Watched[] } {
  const index = Math.max(
    0,
    golems.findIndex(({ id }) => id === chosen),
  )
  const first = Math.floor(index / size) * size
  const shown = golems.slice(first, first + size)
  const range =
    golems.length > size
      ? ` ${count(first + 1)}–${count(first + shown.length)} of ${count(golems.length)}`
      : ''
  return {
    title: [span('Golems', 'accent', true), span(isListed ? range : '', 'quiet')],
    golems: shown,
  }
}

const count = (number: number) => number.toLocaleString('en')

function tooSmall({ columns, rows }: WindowSize, glyphs: Glyphs): readonly Line[] {
  const words = [
    'Make the window larger.',
    `Bardo needs ${smallest.columns} columns and ${smallest.rows} rows; this has ${columns} and ${rows}.`,
    'q quits. bardo watch --plain needs no window.',
  ]
  return Array.from({ length: rows }, (_, at) => fitLine([span(words[at] ?? '')], columns, glyphs))
}

function header({ golems, link, isListed }: WatchState, columns: number, now: number, glyphs: Glyphs): Line {
  const living = golems.filter(({ status }) => status !== 'dead').length
  const many = `${count(golems.length)} ${golems.length === 1 ? 'Golem' : 'Golems'}, ${count(living)} alive`
  const left = [
    span(` ${glyphs.mark} Bardo`, 'accent', true),
    span(isListed ? `  ${many}` : '', 'quiet'),
  ] satisfies Line
  const state: Span =
    link.type === 'live'
      ? span(`${glyphs.dot} live`, 'good')
      : span(link.type === 'waiting' ? `${glyphs.dot} reconnecting` : `${glyphs.dot} connecting`, 'warn')
  const right = [state, span(`  ${timeOfDay(now)} `, 'quiet')] satisfies Line
  return [...fitLine(left, columns - lineWidth(right), glyphs), ...right]
}

function emptyList({ link, isListed }: WatchState): readonly Line[] {
  if (link.type === 'waiting')
    return [
      [span(link.because, 'warn')],
      [span('Start one in another terminal: '), span('bardo up', 'accent', true)],
    ]
  if (!isListed) return [[span('Loading the Golems…', 'quiet')]]
  return [
    [span('There is no Golem yet.')],
    [span('Create one in another terminal: '), span('bardo summon STRATEGY.md', 'accent', true)],
  ]
}

/** The latest activity, wrapped. */
function newsLines(state: WatchState, { columns, rows }: WindowSize): readonly Line[] {
  if (state.news.length === 0) return [[span('Nothing yet.', 'quiet')]]
  const lines: Line[] = []
  for (const { at, golem, sentence, tone } of state.news.slice(-rows)) {
    const name = nameOf(state, golem)
    const [first = '', ...more] = wrapText(`${name} ${shortHashes(sentence)}`, columns - newsIndent)
    const isNamed = first.startsWith(name)
    lines.push(
      [
        span(timeOfDay(at).padEnd(newsIndent), 'quiet'),
        span(isNamed ? name : '', 'accent'),
        span(isNamed ? first.slice(name.length) : first, tone),
      ],
      ...more.map((text) => [span(`${' '.repeat(newsIndent)}${text}`, tone)]),
    )
  }
  return lines.slice(-rows)
}

/** The column where the sentences start. */
const newsIndent = 10

/** Shortens hashes to their first and last digits. */
function shortHashes(sentence: string): string {
  return sentence.replace(/0x([0-9a-f]{4})[0-9a-f]{56}([0-9a-f]{4})/gi, '0x$1…$2')
}

/** The panel that covers the window: help, or the changes to confirm. */
function sheetOf(state: WatchState): { readonly title: Line; readonly lines: readonly Line[] } | undefined {
  const { mode } = state
  if (mode.type === 'help') return { title: [span('Help', 'accent', true)], lines: helpLines }
  if (mode.type !== 'weighing') return undefined
  return {
    title: [span(`Changes for ${nameOf(state, mode.golem)}`, 'accent', true)],
    lines: mode.changes.map((text) => [span(text, toneOfChange(text))]),
  }
}

function toneOfChange(text: string) {
  return text.startsWith('wider') ? 'warn' : text.startsWith('narrower') ? 'good' : undefined
}

const helpLines: readonly Line[] = [
  ['↑ ↓  j k', 'select a Golem; also PageUp, PageDown, Home and End'],
  ['f', 'feed: renew the permission, with the same limits and a new lifespan'],
  ['a', 'adjust: replace the strategy; shows the changes before you sign'],
  ['r', 'revoke: revoke its delegations on the chain; this stops it permanently'],
  ['K', 'kill: it closes its positions, then stops permanently'],
  ['q  Ctrl-C', 'quit; the Golems keep running'],
  ['', ''],
  ['vitality', '0 to 100: the lowest of its survival measures, one value per tick'],
  ['expires', 'the signed time that is left'],
  ['today', 'spent in the last 24 hours, of the daily limit'],
  ['permission', 'healthy, low, critical or revoked'],
  ['', ''],
  ['', 'Press any key to go back.'],
].map(([key = '', what = '']) => [span(key.padEnd(13), 'accent'), span(what)])

function bottomLine(state: WatchState, glyphs: Glyphs): Line {
  const { mode, work, notice, link, isLeaving } = state
  if (mode.type === 'asking') return question(state, mode, glyphs)
  if (mode.type === 'weighing')
    return [span('Sign this and revoke the current delegation?', 'warn', true), span(' y or n', 'quiet')]
  if (work !== undefined)
    return [
      span(`${work}…`, 'accent'),
      span(isLeaving ? ' Quits when this is done; press again to quit now.' : ''),
    ]
  if (notice) return [span(notice.text, notice.tone)]
  return link.type === 'waiting' ? [span(link.because, 'warn')] : []
}

function question(
  state: WatchState,
  { act, golem, typed }: WatchState['mode'] & { type: 'asking' },
  glyphs: Glyphs,
) {
  const name = nameOf(state, golem)
  const children = state.golems.find(({ id }) => id === golem)?.seen?.status.children.length ?? 0
  const ending = children === 0 ? '' : children === 1 ? ' Its child ends.' : ` Its ${children} children end.`
  const yesOrNo = span(' y or n', 'quiet')
  switch (act) {
    case 'feed':
      return [span(`Feed ${name}: renew it with the same limits?${ending}`, 'warn', true), yesOrNo]
    case 'revoke':
      return [span(`Revoke every delegation of ${name}? This stops it permanently.`, 'warn', true), yesOrNo]
    case 'adjust':
      return [span(`File with the new strategy for ${name}: `, 'warn', true), ...field(typed, glyphs)]
    case 'kill':
      return [span(`Kill ${name} permanently? Type its name: `, 'bad', true), ...field(typed, glyphs)]
  }
}

/** The typed text with the cursor; of a long text, only the end. */
function field(typed: string, { cursor }: Glyphs): Line {
  const shown = widthOf(typed) > 30 ? `…${[...typed].slice(-29).join('')}` : typed
  return [span(shown), span(cursor, 'accent')]
}

function keys({ mode }: WatchState, { arrows }: Glyphs): Line {
  const pairs =
    mode.type === 'looking'
      ? [
          [arrows, 'select'],
          ['f', 'feed'],
          ['a', 'adjust'],
          ['r', 'revoke'],
          ['K', 'kill'],
          ['?', 'help'],
          ['q', 'quit'],
        ]
      : mode.type === 'help'
        ? []
        : [['Esc', 'cancel']]
  return pairs.flatMap(([key = '', what]) => [span(` ${key}`, 'accent', true), span(` ${what} `, 'quiet')])
}
