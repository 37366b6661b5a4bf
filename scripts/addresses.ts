/**
 * The addresses of the contracts in docs/deployment.md and in `@bardo/core`.
 *
 *   node scripts/addresses.ts            writes them, computed from the bytecode
 *   node scripts/addresses.ts --check    fails if they are stale, or if no decision page states them
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { addressesModule } from './addressesModule.ts'
import { addressesPage } from './addressesPage.ts'
import { undecided } from './frozenAddresses.ts'

const page = addressesPage()
const files = [page, addressesModule()]
const stale = files.filter(({ text, expected }) => text !== expected).map(({ path }) => relative('.', path))
if (process.argv.includes('--check')) {
  const decisions = globSync(join(import.meta.dirname, '../docs/decisions/*.md')).map((file) => ({
    name: basename(file),
    text: readFileSync(file, 'utf8'),
  }))
  const problem =
    stale.length > 0
      ? `Not the addresses of the current bytecode: ${stale.join(', ')}. Run \`npm run build:contracts\`.`
      : undecided(page.text, decisions)
  if (problem) {
    console.error(problem)
    process.exitCode = 1
  }
} else if (stale.length > 0) {
  for (const { path, expected } of files) writeFileSync(path, expected)
  console.log(`new addresses → ${stale.join(', ')}`)
}
