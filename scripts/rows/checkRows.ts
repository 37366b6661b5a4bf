/** Fails when docs/coverage.md cannot be read, or names a test or a page that does not exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findMissingProofs } from './findMissingProofs.ts'
import { type Coverage, readRows } from './readRows.ts'

const root = join(import.meta.dirname, '../..')

/** The page, with everything that can be wrong with it before anything runs. */
export function checkedRows(): Coverage {
  const { rows, problems } = readRows(readFileSync(join(root, 'docs/coverage.md'), 'utf8'))
  const read = (path: string) => {
    const full = join(root, path)
    return existsSync(full) ? readFileSync(full, 'utf8') : undefined
  }
  const paths = globSync('docs/**/*.md', { cwd: root })
  const pages = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  return { rows, problems: [...problems, ...findMissingProofs(rows, { read, pages })] }
}

if (import.meta.main) {
  const { rows, problems } = checkedRows()
  for (const problem of problems) console.error(`docs/coverage.md: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`${rows.length} rows, every proof exists`)
}
