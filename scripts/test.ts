/**
 * Runs every part of the test suite, one after the other, and prints how long each took. A part that fails does not keep
 * the next from running; the command fails at the end. A part over its budget prints a line: machines differ, so it does
 * not fail.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { budgetReport, type Part } from './testBudgets.ts'

const parts: readonly (Omit<Part, 'seconds' | 'passed'> & { command: readonly string[] })[] = [
  { name: 'contracts', budgetSeconds: 120, command: ['contracts/test.ts'] },
  { name: 'unit', budgetSeconds: 60, command: [vitest(), 'run', '--project', 'unit'] },
  {
    name: 'chain and runtime',
    budgetSeconds: 360,
    command: [vitest(), 'run', '--project', 'integration', '--project', 'isolated'],
  },
]

function vitest(): string {
  return join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
}

const ran = parts.map(({ command, ...part }): Part => {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  return { ...part, passed: status === 0, seconds: (performance.now() - began) / 1_000 }
})
console.log(`\n${budgetReport(ran)}`)
if (ran.some(({ passed }) => !passed)) process.exitCode = 1
