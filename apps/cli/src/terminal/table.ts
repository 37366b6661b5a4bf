import { printable } from './printable.ts'

/**
 * A text table. If it is wider than `width`, the widest columns are cut.
 *
 * @param given - rows; the first is the heading
 */
export function table(given: readonly (readonly string[])[], width: number): string {
  const rows = given.map((row) => row.map(printable))
  const gap = 2
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const total = () => widths.reduce((sum, one) => sum + one + gap, -gap)
  while (total() > width) {
    const widest = widths.indexOf(Math.max(...widths))
    const narrower = (widths[widest] ?? 0) - 1
    if (narrower < 4) break
    widths[widest] = narrower
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => cut(cell, widths[at] ?? 0).padEnd(widths[at] ?? 0))
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n')
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text
}
