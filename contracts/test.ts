/** Runs the Solidity tests. `BARDO_TEST=full` takes the large counts; further arguments go to forge. */
import { spawnSync } from 'node:child_process'
import './protocols.ts'

const full = process.env['BARDO_TEST'] === 'full'
const { status } = spawnSync('forge', ['test', ...process.argv.slice(2)], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
  env: { ...process.env, FOUNDRY_PROFILE: full ? 'full' : 'default' },
})
process.exitCode = status ?? 1
