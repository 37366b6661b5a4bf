import type { Cell } from '../../apps/cli/src/testing/pseudoTerminal.ts'
import { drawnCell } from './drawnCell.ts'

/** The size of a cell, and of a letter in it. */
const cellWidth = 8.4
const cellHeight = 17
const fontSize = 14
/** The margin around the cells; the window's title is above them. */
const margin = 16
const titleHeight = 34

const ink = '#d5d9e0'
const paper = '#14171f'
/** The terminal's own sixteen colours. */
const palette = [
  '#3b4252',
  '#f0717e',
  '#7fd88f',
  '#f2cc60',
  '#6cb6ff',
  '#c792ea',
  '#56d4dd',
  '#e5e9f0',
  '#5c6370',
  '#ff8a94',
  '#9be9a8',
  '#ffdf80',
  '#8ecbff',
  '#ddb6ff',
  '#7fe5ec',
  '#ffffff',
]

/** A screen as a picture of a window. Lines and bars are drawn, so that it looks the same in every font. */
export function screenSvg(cells: readonly (readonly Cell[])[], title: string): string {
  const columns = Math.max(...cells.map((row) => row.length))
  const width = round(columns * cellWidth + 2 * margin)
  const height = round(cells.length * cellHeight + titleHeight + margin)
  const rows = cells.flatMap((row, at) => rowSvg(row, titleHeight + at * cellHeight))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${fontSize}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${paper}"/>`,
    ...['#f0717e', '#f2cc60', '#7fd88f'].map(
      (colour, at) => `<circle cx="${20 + at * 18}" cy="17" r="5.5" fill="${colour}"/>`,
    ),
    `<text x="${round(width / 2)}" y="21" text-anchor="middle" font-size="12" fill="#8b93a1">${escapeXml(title)}</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n')
}

type Run = { readonly start: number; readonly text: string; readonly cell: Cell }

function rowSvg(row: readonly Cell[], top: number): readonly string[] {
  const shapes: string[] = []
  const runs: Run[] = []
  for (const run of sameCells(row)) {
    const { start, text, cell } = run
    const width = [...text].length * cellWidth
    const box = { left: margin + start * cellWidth, top, width, height: cellHeight }
    const shape = drawnCell(cell.text, box)
    const last = runs.at(-1)
    if (shape !== undefined)
      shapes.push(`<g ${paint(cell)}${shape.isLine ? ` stroke="${colourOf(cell)}"` : ''}>${shape.svg}</g>`)
    else if (last && isSameStyle(last.cell, cell) && last.start + [...last.text].length === start)
      runs[runs.length - 1] = { ...last, text: last.text + text }
    else runs.push(run)
  }
  return [...merged(shapes), ...runs.flatMap((run) => runSvg(run, top))]
}

/** Characters that continue in the next cell. */
const tiles = /^[▁-█░─]$/

/** Several equal bar or line characters in a row are drawn as one, without seams. */
function sameCells(row: readonly Cell[]): readonly Run[] {
  const runs: Run[] = []
  for (const [start, cell] of row.entries()) {
    const last = runs.at(-1)
    if (last && tiles.test(cell.text) && last.cell.text === cell.text && isSameStyle(last.cell, cell))
      runs[runs.length - 1] = { ...last, text: last.text + cell.text }
    else runs.push({ start, text: cell.text, cell })
  }
  return runs
}

/** Adjacent shapes with the same paint share a group. */
function merged(shapes: readonly string[]): readonly string[] {
  const groups: { readonly open: string; body: string }[] = []
  for (const shape of shapes) {
    const cut = shape.indexOf('>') + 1
    const open = shape.slice(0, cut)
    const body = shape.slice(cut, -'</g>'.length)
    const last = groups.at(-1)
    if (last?.open === open) last.body += body
    else groups.push({ open, body })
  }
  return groups.map(({ open, body }) => `${open}${body}</g>`)
}

function runSvg({ start, text, cell }: Run, top: number): readonly string[] {
  const trimmed = text.trimEnd()
  const lead = trimmed.length - trimmed.trimStart().length
  const shown = trimmed.trimStart()
  if (shown === '') return []
  const left = round(margin + (start + lead) * cellWidth)
  const length = round([...shown].length * cellWidth)
  const baseline = round(top + cellHeight * 0.74)
  return [
    `<text x="${left}" y="${baseline}" textLength="${length}" xml:space="preserve" ${paint(cell)}${cell.isBold ? ' font-weight="bold"' : ''}>${escapeXml(shown)}</text>`,
  ]
}

function isSameStyle(a: Cell, b: Cell): boolean {
  return a.colour === b.colour && a.isBold === b.isBold && a.isDim === b.isDim
}

function colourOf({ colour }: Cell): string {
  return colour === undefined ? ink : (palette[colour] ?? ink)
}

function paint(cell: Cell): string {
  return `fill="${colourOf(cell)}"${cell.isDim ? ' opacity="0.55"' : ''}`
}

const round = (number: number) => Math.round(number * 100) / 100

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
