/**
 * Runs every part of the test suite, one after the other, and prints how long each took and which tests failed. A part that
 * fails does not keep the next from running; the command fails at the end. A part over its budget prints a line: machines
 * differ, so it does not fail.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { failedTests } from './failedTests.ts'
import { budgetReport, type Part } from './testBudgets.ts'

const root = join(import.meta.dirname, '..')
/** The JSON report of the last run of each part. */
const reports = join(root, 'node_modules/.cache/bardo/tests')

const parts: readonly (Omit<Part, 'seconds' | 'passed'> & { command: readonly string[] })[] = [
  { name: 'contracts', budgetSeconds: 120, command: ['contracts/test.ts'] },
  { name: 'unit', budgetSeconds: 60, command: vitest('unit', 'unit') },
  {
    name: 'chain and runtime',
    budgetSeconds: 360,
    command: vitest('chain and runtime', 'integration', 'isolated'),
  },
]

function vitest(part: string, ...projects: readonly string[]): readonly string[] {
  return [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf(part)}`,
  ]
}

function reportOf(part: string): string {
  return join(reports, `${part}.json`)
}

rmSync(reports, { recursive: true, force: true })
const ran = parts.map(({ command, ...part }): Part => {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  return { ...part, passed: status === 0, seconds: (performance.now() - began) / 1_000 }
})
const failed = parts.flatMap(({ name }) => failedTests(reportOf(name), root))
console.log(['', ...failed, budgetReport(ran)].join('\n'))
if (ran.some(({ passed }) => !passed)) process.exitCode = 1
