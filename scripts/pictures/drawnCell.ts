type Cell = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

/** The directions in which a line leaves the middle of a cell: up, right, down, left. */
const lines: Readonly<Record<string, readonly [boolean, boolean, boolean, boolean]>> = {
  '─': [false, true, false, true],
  '│': [true, false, true, false],
  '├': [true, true, true, false],
  '└': [true, true, false, false],
  '╴': [false, false, false, true],
}
/** Round corners, by the sides that they connect. */
const corners: Readonly<Record<string, readonly [vertical: 1 | -1, horizontal: 1 | -1]>> = {
  '╭': [1, 1],
  '╮': [1, -1],
  '╰': [-1, 1],
  '╯': [-1, -1],
}
const eighths = '▁▂▃▄▅▆▇█'

/** A line or bar character as a shape that fills its cell; undefined for any other character. */
export function drawnCell(
  letter: string,
  { left, top, width, height }: Cell,
): { readonly svg: string; readonly isLine: boolean } | undefined {
  const [x, y] = [left + width / 2, top + height / 2]
  const reach = Object.hasOwn(lines, letter) ? lines[letter] : undefined
  if (reach) {
    const [up, right, down, leftwards] = reach
    const parts = [
      ...(up ? [`M${n(x)} ${n(y)}V${n(top)}`] : []),
      ...(right ? [`M${n(x)} ${n(y)}H${n(left + width)}`] : []),
      ...(down ? [`M${n(x)} ${n(y)}V${n(top + height)}`] : []),
      ...(leftwards ? [`M${n(x)} ${n(y)}H${n(left)}`] : []),
    ]
    return { isLine: true, svg: `<path d="${parts.join('')}" fill="none"/>` }
  }
  const corner = Object.hasOwn(corners, letter) ? corners[letter] : undefined
  if (corner) {
    const [vertical, horizontal] = corner
    const [toX, toY] = [x + (horizontal * width) / 2, y + (vertical * height) / 2]
    const turn = y + vertical * (width / 2)
    return {
      isLine: true,
      svg: `<path d="M${n(x)} ${n(toY)}V${n(turn)}Q${n(x)} ${n(y)} ${n(toX)} ${n(y)}" fill="none"/>`,
    }
  }
  const step = letter === '' ? -1 : eighths.indexOf(letter)
  // A small gap between two rows.
  const tall = height - 3
  if (step >= 0) {
    const part = (tall * (step + 1)) / eighths.length
    return { isLine: false, svg: bar(left, top + height - 1.5 - part, width, part) }
  }
  if (letter === '░')
    return { isLine: false, svg: bar(left, top + 1.5, width, tall).replace('/>', ' opacity="0.22"/>') }
  return undefined
}

function bar(left: number, top: number, width: number, height: number): string {
  return `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}"/>`
}

const n = (number: number) => Math.round(number * 100) / 100
