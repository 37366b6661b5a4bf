/** Fails when a link in the documentation has no target. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { findBrokenLinks } from './brokenLinks.ts'

const paths = globSync(['*.md', '{docs,contracts,packages,apps,bench,examples}/**/*.md'], {
  exclude: ['**/node_modules/**'],
})
const pages = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
const broken = findBrokenLinks(pages, existsSync)
for (const { path, line, link } of broken) console.error(`${path}:${line}  ${link}: no such file or heading`)
if (broken.length > 0) process.exitCode = 1
else console.log(`${pages.size} pages, every link has a target`)
