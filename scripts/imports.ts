/** Fails if an import goes against the direction in docs/architecture.md. */
import { globSync, readFileSync } from 'node:fs'
import { findViolations } from './importDirection.ts'

const paths = globSync('{contracts,packages/*,apps/*}/**/*.{ts,tsx}', {
  exclude: ['**/node_modules/**', '**/dist/**'],
})
const violations = findViolations(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
for (const { path, line, import: specifier, reason } of violations)
  console.error(`${path}:${line}  '${specifier}': ${reason}`)
if (violations.length > 0) process.exitCode = 1
else console.log(`${paths.length} files import in one direction`)
