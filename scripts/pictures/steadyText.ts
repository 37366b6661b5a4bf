import { createHash } from 'node:crypto'

/** The start time of each picture. */
const first = Date.UTC(2026, 0, 2, 3, 4, 0)
const minute = 60_000

/**
 * Replaces what differs from run to run with text of the same length: addresses and hashes with others, times
 * with times at the same distance, to the minute.
 */
export function createSteadyText(): (text: string) => string {
  const names = new Map<string, string>()
  let origin: number | undefined
  const moved = (moment: number) => {
    origin ??= moment
    return first + Math.round((moment - origin) / minute) * minute
  }
  const steadyHex = (hex: string) => {
    // A shortened one belongs to the whole one with the same beginning.
    const mark = hex.slice(2, 10).toLowerCase()
    const digits = names.get(mark) ?? createHash('sha256').update(`${names.size}`).digest('hex')
    names.set(mark, digits)
    let index = 0
    return `0x${hex.slice(2).replace(/[0-9a-f]/gi, () => digits[index++ % digits.length] ?? '0')}`
  }
  return (text) =>
    text
      // It may be shortened, or continue in the next line.
      .replace(/0x(?:[0-9a-f]\n?){8,64}(?:…[0-9a-f]{4,8})?/gi, steadyHex)
      .replace(/(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)/g, (_, day, between, time) =>
        new Date(moved(Date.parse(`${day}T${time}Z`))).toISOString().slice(0, 19).replace('T', between),
      )
      .replace(/\b1[78]\d{8}\b/g, (seconds) => `${moved(Number(seconds) * 1_000) / 1_000}`)
      .replace(/in \d+ seconds?/g, (text_) => 'in 9 seconds'.padEnd(text_.length))
      .replace(/block \d+/g, (text_) => 'block 112'.padEnd(text_.length))
      .replace(/tick \d+\./g, 'tick 1.')
      .replace(/in \d+\.\d s/g, 'in 1.2 s')
      .replace(
        /\d\.\d s, (\d+),(\d{3}) gas/g,
        (_, most, rest) => `0.1 s, ${Math.round(Number(most + rest) / 1_000)},000 gas`,
      )
}
