/** Fails on an export of a package that neither the product, nor an example, nor a page of the documentation reaches. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { identifiersIn } from './identifiersIn.ts'
import { findUnreached, type KnipReport } from './unreachedExports.ts'

const args = ['--production', '--config', 'knip.production.json', '--reporter', 'json', '--no-exit-code']
const { stdout, stderr, status } = spawnSync('knip', args, { encoding: 'utf8', maxBuffer: 64_000_000 })
if (status !== 0) throw new Error(`knip failed: ${stderr}`)
const report = JSON.parse(stdout) as KnipReport
const pages = globSync(['README.md', 'docs/**/*.md']).map((path) => readFileSync(path, 'utf8'))
const exported = new Map(
  globSync('packages/*/src/{index,*/index}.ts').map((file) => [
    file,
    new Set(identifiersIn(file, readFileSync(file, 'utf8')).map(({ name }) => name)),
  ]),
)
const { unreached, stale } = findUnreached(report, exported, pages)
for (const { name, file } of unreached)
  console.error(`${file}: nothing that users run, no example and no page reaches ${name}`)
for (const name of stale)
  console.error(`scripts/unreachedExports.ts: ${name} is reached or gone; remove its entry`)
if (unreached.length + stale.length > 0) process.exitCode = 1
else console.log('every export of a package is reached')
