import type { Glyphs } from './glyphs.ts'

/** A share from 0 to 1 as a bar. Whatever is there shows, and only the whole is full. */
export function gauge(share: number, width: number, { full, empty }: Glyphs): string {
  const whole = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
  const rounded = Math.round(whole * width)
  const filled = Math.max(whole > 0 ? 1 : 0, whole < 1 ? Math.min(rounded, width - 1) : rounded)
  return full.repeat(filled) + empty.repeat(width - filled)
}

/** Values from 0 to 100 over time, each as a bar of its height, the newest to the right. Of too many, some evenly apart. */
export function sparkline(values: readonly number[], width: number, { steps }: Glyphs): string {
  const drawn = Math.min(width, values.length)
  const bars = Array.from({ length: drawn }, (_, at) => {
    const place =
      values.length - 1 - Math.round(((drawn - 1 - at) * (values.length - 1)) / Math.max(1, drawn - 1))
    const share = Math.min(100, Math.max(0, values[place] ?? 0)) / 100
    return steps[Math.min(Math.floor(share * steps.length), steps.length - 1)] ?? ' '
  })
  return bars.join('').padStart(width)
}
