/**
 * Runs the Solidity tests, and then shows the line coverage of `src/`. `BARDO_TEST=full` uses the large
 * counts. Further arguments are passed to forge; then no coverage is counted, because only some tests run.
 */
import { spawnSync } from 'node:child_process'
import { checkCoverage } from './coverage.ts'
import { forgeBinary } from './forgeBinary.ts'
import './protocols.ts'

const full = process.env['BARDO_TEST'] === 'full'
const chosen = process.argv.slice(2)
const { status } = spawnSync(forgeBinary(), ['test', ...chosen], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
  env: { ...process.env, FOUNDRY_PROFILE: full ? 'full' : 'default' },
})
const passed = status === 0 && (chosen.length > 0 || checkCoverage())
process.exitCode = passed ? 0 : status || 1
