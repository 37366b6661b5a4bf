/**
 * The addresses of the contracts in docs/deployment.md.
 *
 *   node scripts/addresses.ts            writes them, computed from the bytecode
 *   node scripts/addresses.ts --check    fails if they are stale, or if no decision page states them
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addressesPage } from './addressesPage.ts'
import { undecided } from './frozenAddresses.ts'

const { path, text, expected } = addressesPage()
if (process.argv.includes('--check')) {
  const decisions = globSync(join(import.meta.dirname, '../docs/decisions/*.md')).map((file) => ({
    name: basename(file),
    text: readFileSync(file, 'utf8'),
  }))
  const stale =
    text === expected
      ? undefined
      : 'docs/deployment.md does not show the addresses of the current bytecode. Run `npm run build:contracts`.'
  const problem = stale ?? undecided(text, decisions)
  if (problem) {
    console.error(problem)
    process.exitCode = 1
  }
} else if (text !== expected) {
  writeFileSync(path, expected)
  console.log('new addresses → docs/deployment.md')
}
