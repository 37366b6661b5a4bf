const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** Seconds as a short text, in the largest unit: 29 d, 4 min, 12 s. */
export function shortTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [size, name] = units.find(([least]) => whole >= least) ?? [1, 's']
  return `${Math.floor(whole / size)} ${name}`
}

/** Cents as short dollars: without decimals for whole or large amounts, `k` and `M` for thousands and millions. */
export function shortMoney(cents: string): string {
  const amount = Number(cents) / 100
  if (amount >= 1_000_000) return `$${(amount / 1_000_000).toFixed(1)}M`
  if (amount >= 10_000) return `$${(amount / 1_000).toFixed(0)}k`
  return Number.isInteger(amount) || amount >= 1_000 ? `$${amount.toFixed(0)}` : `$${amount.toFixed(2)}`
}

/** The time of day in the local time zone. */
export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, 8)
}
