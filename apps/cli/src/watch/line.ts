import { cutText, widthOf } from './cells.ts'
import type { Glyphs } from './glyphs.ts'

/** The meaning of a text. It sets the colour; the words must be clear without it. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent'

/** A text in one style. */
export type Span = { readonly text: string; readonly tone?: Tone; readonly isBold?: true }

/** A line of a screen. */
export type Line = readonly Span[]

/** Creates a span. */
export function span(text: string, tone?: Tone, isBold?: true): Span {
  return { text, ...(tone && { tone }), ...(isBold && { isBold }) }
}

/** The number of columns that a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0)
}

/** Whether two lines look the same. */
export function isSameLine(a: Line, b: Line): boolean {
  return (
    a.length === b.length &&
    a.every(({ text, tone, isBold }, at) => {
      const other = b[at]
      return text === other?.text && tone === other.tone && isBold === other.isBold
    })
  )
}

/** A line in the terminal's characters, cut or padded to exactly `width` columns. */
export function fitLine(line: Line, width: number, { shape, cut }: Glyphs): Line {
  const fitted: Span[] = []
  let left = width
  for (const one of line) {
    if (left <= 0) break
    const text = cutText(shape(one.text), left, cut)
    left -= widthOf(text)
    fitted.push({ ...one, text })
    if (text !== shape(one.text)) break
  }
  return left > 0 ? [...fitted, { text: ' '.repeat(left) }] : fitted
}

/** Lines in a frame with a title, of exactly the given size. Lines that do not fit are left out. */
export function panel(
  title: Line,
  lines: readonly Line[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
  glyphs: Glyphs,
): readonly Line[] {
  const { top, bottom, across, down } = glyphs.frame
  const inner = columns - 4
  const quiet = (text: string) => span(text, 'quiet')
  const heading = fitLine(title, Math.min(inner, lineWidth(title)), glyphs)
  const rest = Math.max(0, columns - 5 - lineWidth(heading))
  const body = Array.from({ length: Math.max(0, rows - 2) }, (_, at) => [
    quiet(`${down} `),
    ...fitLine(lines[at] ?? [], inner, glyphs),
    quiet(` ${down}`),
  ])
  return [
    [quiet(`${top[0]}${across} `), ...heading, quiet(` ${across.repeat(rest)}${top[1]}`)],
    ...body,
    [quiet(`${bottom[0]}${across.repeat(columns - 2)}${bottom[1]}`)],
  ]
}
