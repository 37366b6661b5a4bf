import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import { writeBlock } from '../../scripts/markedBlock.ts'
import type { Figure, Measurement } from './measure.ts'
import { policyGasOf, tables } from './tables.ts'

const file = join(import.meta.dirname, 'snapshot.json')
const gasPage = join(import.meta.dirname, '../../docs/gas.md')
const caveatsPage = join(import.meta.dirname, '../../docs/caveats.md')

/**
 * The maximum deviation from the snapshot, in gas. Addresses change it slightly: zero bytes of calldata cost
 * less.
 */
const tolerance = 100

export function readSnapshot(): Measurement {
  return JSON.parse(readFileSync(file, 'utf8')) as Measurement
}

/** The pages that show figures, each with its current and its expected text. */
export function pagesWith(measurement: Measurement): { page: string; text: string; expected: string }[] {
  const [gas, caveats] = [readFileSync(gasPage, 'utf8'), readFileSync(caveatsPage, 'utf8')]
  const expected = writeBlock(gas, 'gas', tables(measurement))
  if (expected === undefined)
    throw new BardoError('docs/gas.md has no place for its tables.', {
      code: 'INVALID_INPUT',
      remedy: 'Add `<!-- gas -->` and `<!-- /gas -->` around the tables.',
    })
  return [
    { page: gasPage, text: gas, expected },
    { page: caveatsPage, text: caveats, expected: withGasLines(caveats, measurement.enforcers) },
  ]
}

/** Every enforcer's section states its gas, on a separate line. */
function withGasLines(text: string, enforcers: readonly Figure[]): string {
  const count = (scenario: string, name: string) =>
    policyGasOf(enforcers, scenario, name).toLocaleString('en')
  return [...new Set(enforcers.map(({ policy }) => policy))].reduce((page, name) => {
    const line = `Gas: ${count('transfer', name)} around a payment, ${count('swap', name)} around a swap.`
    const section = new RegExp(`(?<=^### ${name}\\n(?:(?!^#)[^\\n]*\\n)*)Gas: .*$`, 'm')
    if (section.test(page)) return page.replace(section, line)
    throw new BardoError(`docs/caveats.md does not state the gas of ${name}.`, {
      code: 'INVALID_INPUT',
      remedy: `Add this line to its section: ${line}`,
    })
  }, text)
}

/** Stores a measurement as the snapshot and in the docs. */
export function acceptSnapshot(measurement: Measurement): void {
  const pages = pagesWith(measurement)
  // One figure per line, as the formatter does: a diff then shows what changed.
  const rows = (figures: readonly Figure[]) =>
    figures
      .map(
        ({ scenario, policy, gas, policyGas }) =>
          `    { "scenario": "${scenario}", "policy": "${policy}", "gas": ${gas}, "policyGas": ${policyGas} }`,
      )
      .join(',\n')
  const { policies, enforcers } = measurement
  writeFileSync(
    file,
    `{\n  "policies": [\n${rows(policies)}\n  ],\n  "enforcers": [\n${rows(enforcers)}\n  ]\n}\n`,
  )
  for (const { page, expected } of pages) writeFileSync(page, expected)
}

/** A line for every figure that differs from the snapshot, including added and removed ones. */
export function drifts(accepted: Measurement, measured: Measurement): string[] {
  return (['policies', 'enforcers'] as const).flatMap((part) => {
    const names = new Set([...accepted[part], ...measured[part]].map(nameOf))
    return [...names].flatMap((name) => {
      const [before, now] = [accepted[part], measured[part]].map((all) =>
        all.find((figure) => nameOf(figure) === name),
      )
      return (['gas', 'policyGas'] as const)
        .filter((field) => !isNear(before?.[field], now?.[field]))
        .map((field) => `${name}: ${field} ${now?.[field] ?? 'gone'}, accepted ${before?.[field] ?? 'none'}`)
    })
  })
}

const nameOf = ({ scenario, policy }: Figure) => `${scenario} under ${policy}`

function isNear(before: number | undefined, now: number | undefined): boolean {
  if (before === undefined || now === undefined) return false
  return Math.abs(now - before) <= tolerance
}
