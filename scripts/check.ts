/** All static checks. Runs every check even if one fails, so that one run shows everything that is wrong. */
import { spawnSync } from 'node:child_process'
import { forgeBinary } from '../contracts/forgeBinary.ts'

const checks: [name: string, command: string, ...args: string[]][] = [
  ['format and lint', 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['format of Solidity', forgeBinary(), 'fmt', '--check', '--root', 'contracts'],
  ['types', 'tsc', '--noEmit'],
  ['dead code and dependencies', 'knip', '--treat-config-hints-as-errors'],
  ['unreached exports', 'node', 'scripts/exports.ts'],
  ['import direction', 'node', 'scripts/imports.ts'],
  ['forbidden names', 'node', 'scripts/forbiddenNames.ts'],
  ['session keys', 'node', 'scripts/sessionKeyUses.ts'],
  ['links in the docs', 'node', 'scripts/links.ts'],
  ['proofs of the coverage page', 'node', 'scripts/rows/checkRows.ts'],
  ['references to documents', 'node', 'scripts/danglingReferences.ts'],
  ['generated contracts', 'node', 'contracts/build.ts', '--check'],
  ['addresses of the contracts', 'node', 'scripts/addresses.ts', '--check'],
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
  console.error(`\nFailed: ${failed.join(', ')}. Run \`npm run format\` to fix the formatting.`)
  process.exitCode = 1
}
