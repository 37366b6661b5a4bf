/** Everything that can be said about a change without running it. Stops at nothing: one run shows all that is wrong. */
import { spawnSync } from 'node:child_process'
import { forgeBinary } from '../contracts/forgeBinary.ts'

const checks: [name: string, command: string, ...args: string[]][] = [
  ['format and lint', 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['format of Solidity', forgeBinary(), 'fmt', '--check', '--root', 'contracts'],
  ['types', 'tsc', '--noEmit'],
  ['dead code and dependencies', 'knip', '--treat-config-hints-as-errors'],
  ['import direction', 'node', 'scripts/imports.ts'],
  ['links in the docs', 'node', 'scripts/links.ts'],
  ['generated contracts', 'node', 'contracts/build.ts', '--check'],
]

const failed: string[] = []
for (const [name, command, ...args] of checks) {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  if (status === 0) continue
  failed.push(name)
  console.error(`${stdout ?? ''}${stderr ?? ''}`.trim())
}
if (failed.length > 0) {
  console.error(`\nNot clean: ${failed.join(', ')}. Formatting is mended by \`npm run format\`.`)
  process.exitCode = 1
}
