import type { Glyphs } from './glyphs.ts'

/** A share from 0 to 1 as a bar. Any share above 0 shows at least one cell, and only 1 is full. */
export function gauge(share: number, width: number, { full, empty }: Glyphs): string {
  const whole = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
  const rounded = Math.round(whole * width)
  const filled = Math.max(whole > 0 ? 1 : 0, whole < 1 ? Math.min(rounded, width - 1) : rounded)
  return full.repeat(filled) + empty.repeat(width - filled)
}

/** Values from 0 to 100 as a sparkline, the newest at the right. Too many values are sampled evenly. */
export function sparkline(values: readonly number[], width: number, { steps }: Glyphs): string {
  const count = Math.min(width, values.length)
  const bars = Array.from({ length: count }, (_, at) => {
    const index =
      values.length - 1 - Math.round(((count - 1 - at) * (values.length - 1)) / Math.max(1, count - 1))
    const share = Math.min(100, Math.max(0, values[index] ?? 0)) / 100
    return steps[Math.min(Math.floor(share * steps.length), steps.length - 1)] ?? ' '
  })
  return bars.join('').padStart(width)
}
