import { wrapText } from '../shell/wrapText.ts'
import { timeOfDay } from './amounts.ts'
import { widthOf } from './cells.ts'
import type { Glyphs } from './glyphs.ts'
import { golemTable } from './golemColumns.ts'
import { golemDetail } from './golemDetail.ts'
import { layoutOf, smallest, type WindowSize } from './layout.ts'
import { fitLine, type Line, lineWidth, panel, type Span, span } from './line.ts'
import { chosenOf, nameOf, type Watched, type WatchState } from './watchState.ts'

/** What decides how a state looks, beside the state. */
export type Looks = { readonly size: WindowSize; readonly now: number; readonly glyphs: Glyphs }

/** The screen of a state: exactly as many lines as the window has rows, each exactly as wide as it. */
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
        : nobody(state),
      { columns, rows: layout.list },
      glyphs,
    )
    const detail =
      layout.detail.rows === 0
        ? []
        : panel(
            [span(chosen?.name ?? 'Nobody', 'accent', true)],
            chosen ? golemDetail(chosen, layout.detail.columns - 4, now, glyphs) : [],
            layout.detail,
            glyphs,
          )
    const news = panel(
      [span('What happens', 'accent', true)],
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

/** The Golems that are shown now. */
export function pageOf(
  { golems, chosen, isListed }: WatchState,
  size: number,
): { readonly title: Line; readonly golems: readonly Watched[] } {
  const place = Math.max(
    0,
    golems.findIndex(({ id }) => id === chosen),
  )
  const first = Math.floor(place / size) * size
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
  const many = `${count(golems.length)} ${golems.length === 1 ? 'Golem' : 'Golems'}, ${count(living)} living`
  const left = [
    span(` ${glyphs.mark} Bardo`, 'accent', true),
    span(isListed ? `  ${many}` : '', 'quiet'),
  ] satisfies Line
  const state: Span =
    link.is === 'live'
      ? span(`${glyphs.dot} live`, 'good')
      : span(link.is === 'waiting' ? `${glyphs.dot} trying again` : `${glyphs.dot} connecting`, 'warn')
  const right = [state, span(`  ${timeOfDay(now)} `, 'quiet')] satisfies Line
  return [...fitLine(left, columns - lineWidth(right), glyphs), ...right]
}

function nobody({ link, isListed }: WatchState): readonly Line[] {
  if (link.is === 'waiting')
    return [
      [span(link.because, 'warn')],
      [span('Start it in another terminal: '), span('bardo up', 'accent', true)],
    ]
  if (!isListed) return [[span('Asking who lives here…', 'quiet')]]
  return [
    [span('No Golem lives here yet.')],
    [span('Summon one in another terminal: '), span('bardo summon STRATEGY.md', 'accent', true)],
  ]
}

/** The latest sentences, each over as many lines as it takes. */
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

/** Where the sentences begin. */
const newsIndent = 10

/** A whole hash says no more to a reader than its ends. */
function shortHashes(sentence: string): string {
  return sentence.replace(/0x([0-9a-f]{4})[0-9a-f]{56}([0-9a-f]{4})/gi, '0x$1…$2')
}

/** What covers the window: help, or what is to be weighed. */
function sheetOf(state: WatchState): { readonly title: Line; readonly lines: readonly Line[] } | undefined {
  const { mode } = state
  if (mode.is === 'help') return { title: [span('Help', 'accent', true)], lines: helpLines }
  if (mode.is !== 'weighing') return undefined
  return {
    title: [span(`What would change for ${nameOf(state, mode.golem)}`, 'accent', true)],
    lines: mode.changes.map((text) => [span(text, toneOfChange(text))]),
  }
}

function toneOfChange(text: string) {
  return text.startsWith('wider') ? 'warn' : text.startsWith('narrower') ? 'good' : undefined
}

const helpLines: readonly Line[] = [
  ['↑ ↓  j k', 'choose a Golem; PageUp, PageDown, Home and End go further'],
  ['f', 'feed: its owner signs the same bounds anew, and it lives longer'],
  ['a', 'adjust: another STRATEGY.md; shows what changes before it is signed'],
  ['r', 'revoke: end what its owner signed, on the chain; it dies of it'],
  ['K', 'kill: it closes what it opened, and gives its authority up'],
  ['q  Ctrl-C', 'leave; the Golems live on'],
  ['', ''],
  ['vitality', 'from 0 to 100: the least of what keeps it alive, one value for each tick'],
  ['runway', 'how much of the signed time is left'],
  ['today', 'what left the account in 24 hours, of what may'],
  ['permission', 'healthy, low, critical or revoked'],
  ['', ''],
  ['', 'Any key goes back.'],
].map(([key = '', what = '']) => [span(key.padEnd(13), 'accent'), span(what)])

function bottomLine(state: WatchState, glyphs: Glyphs): Line {
  const { mode, work, notice, link, isLeaving } = state
  if (mode.is === 'asking') return question(state, mode, glyphs)
  if (mode.is === 'weighing')
    return [span('Sign this instead of what it has?', 'warn', true), span(' y or n', 'quiet')]
  if (work !== undefined)
    return [span(`${work}…`, 'accent'), span(isLeaving ? ' Leaving once it is done; again leaves now.' : '')]
  if (notice) return [span(notice.text, notice.tone)]
  return link.is === 'waiting' ? [span(link.because, 'warn')] : []
}

function question(
  state: WatchState,
  { act, golem, typed }: WatchState['mode'] & { is: 'asking' },
  glyphs: Glyphs,
) {
  const name = nameOf(state, golem)
  const yesOrNo = span(' y or n', 'quiet')
  switch (act) {
    case 'feed':
      return [span(`Feed ${name}: sign the same bounds anew?`, 'warn', true), yesOrNo]
    case 'revoke':
      return [span(`Revoke all that was signed for ${name}? It dies of it.`, 'warn', true), yesOrNo]
    case 'adjust':
      return [span(`New strategy for ${name}, a file: `, 'warn', true), ...field(typed, glyphs)]
    case 'kill':
      return [span(`End ${name} for good? Type its name: `, 'bad', true), ...field(typed, glyphs)]
  }
}

/** What is typed; of a long text the end, where the cursor is. */
function field(typed: string, { cursor }: Glyphs): Line {
  const shown = widthOf(typed) > 30 ? `…${[...typed].slice(-29).join('')}` : typed
  return [span(shown), span(cursor, 'accent')]
}

function keys({ mode }: WatchState, { arrows }: Glyphs): Line {
  const pairs =
    mode.is === 'looking'
      ? [
          [arrows, 'choose'],
          ['f', 'feed'],
          ['a', 'adjust'],
          ['r', 'revoke'],
          ['K', 'kill'],
          ['?', 'help'],
          ['q', 'quit'],
        ]
      : mode.is === 'help'
        ? []
        : [['Esc', 'leave it']]
  return pairs.flatMap(([key = '', what]) => [span(` ${key}`, 'accent', true), span(` ${what} `, 'quiet')])
}
