/** A part of the test suite that has run. */
export type Part = {
  readonly name: string
  readonly budgetSeconds: number
  readonly seconds: number
  readonly passed: boolean
}

/** A table of what each part took and may take, and a line for each that failed or was too slow. */
export function budgetReport(parts: readonly Part[]): string {
  const sum = (of: 'seconds' | 'budgetSeconds') => parts.reduce((total, part) => total + part[of], 0)
  const rows: [name: string, time: string, budget: string][] = [
    ['part', 'time', 'budget'],
    ...parts.map(({ name, seconds, budgetSeconds }): [string, string, string] => [
      name,
      minutes(seconds),
      minutes(budgetSeconds),
    ]),
    ['total', minutes(sum('seconds')), minutes(sum('budgetSeconds'))],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    ...rows.map(
      ([name, time, budget]) => `${name.padEnd(width)}  ${time.padStart(6)}  ${budget.padStart(6)}`,
    ),
    ...parts.filter(isSlow).map(slowLine),
    ...parts.filter(({ passed }) => !passed).map(({ name }) => `FAILED: ${name}`),
  ].join('\n')
}

const isSlow = ({ seconds, budgetSeconds }: Part) => seconds > budgetSeconds

const slowLine = ({ name, seconds, budgetSeconds }: Part) =>
  `OVER BUDGET: ${name} took ${minutes(seconds)}, budget ${minutes(budgetSeconds)}. Is the machine busy? If not, make its slowest tests faster.`

/** `1:05` for 65 seconds. */
function minutes(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${`${whole % 60}`.padStart(2, '0')}`
}
