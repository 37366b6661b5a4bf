import type { Figure, Measurement } from './measure.ts'

/** The tables of docs/gas.md: every policy, the Cage relative to the others, and each enforcer alone. */
export function tables({ policies, enforcers }: Measurement): string {
  return [policyTable(policies), ratioTable(policies), enforcerTable(enforcers)].join('\n\n')
}

function policyTable(figures: readonly Figure[]): string {
  return table(
    ['scenario', 'policy', 'gas', 'policy gas'],
    figures.map(({ scenario, policy, gas, policyGas }) => [
      scenario,
      policy === 'stock' && scenario !== 'transfer' ? 'stock, two delegations' : policy,
      count(gas),
      count(policyGas),
    ]),
  )
}

function ratioTable(figures: readonly Figure[]): string {
  const share = (scenario: string, of: string) =>
    (policyGasOf(figures, scenario, 'cage') / policyGasOf(figures, scenario, of)).toFixed(2)
  return table(
    ['policy gas', 'cage / stock', 'cage / separate'],
    scenariosIn(figures).map((scenario) => [scenario, share(scenario, 'stock'), share(scenario, 'separate')]),
  )
}

function enforcerTable(figures: readonly Figure[]): string {
  const scenarios = scenariosIn(figures)
  return table(
    ['policy gas of one enforcer', ...scenarios],
    [...new Set(figures.map(({ policy }) => policy))].map((policy) => [
      policy,
      ...scenarios.map((scenario) => count(policyGasOf(figures, scenario, policy))),
    ]),
  )
}

/** What a policy adds to a scenario; NaN if it was not measured. */
export function policyGasOf(figures: readonly Figure[], scenario: string, policy: string): number {
  return (
    figures.find((figure) => figure.scenario === scenario && figure.policy === policy)?.policyGas ??
    Number.NaN
  )
}

const scenariosIn = (figures: readonly Figure[]) => [...new Set(figures.map(({ scenario }) => scenario))]
const count = (gas: number) => gas.toLocaleString('en')

/** Names are left-aligned, numbers right-aligned. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumber = (column: number) => rows.every((row) => /^[\d.,]+$/.test(row[column] ?? ''))
  const rule = head.map((_, column) => (isNumber(column) ? '---:' : '---'))
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
