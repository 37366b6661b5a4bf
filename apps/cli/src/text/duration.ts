const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** Seconds as text, in the largest units. Default: the largest two. */
export function duration(seconds: number, most = 2): string {
  if (seconds < 1) return 'no time'
  const parts: string[] = []
  let rest = Math.floor(seconds)
  for (const [size, name] of units) {
    const many = Math.floor(rest / size)
    rest -= many * size
    if (many > 0) parts.push(`${many} ${name}${many === 1 ? '' : 's'}`)
    if (parts.length === most) break
  }
  return parts.join(' and ')
}

/** Seconds as text, in all units: a signed duration is never rounded. */
export function exactDuration(seconds: number): string {
  return duration(seconds, units.length)
}
