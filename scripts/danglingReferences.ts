/**
 * Fails when a source or a page refers to a document that is not in the repository, to a page of docs/ that does not
 * exist, or to a heading that the page does not have.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { linkExists, type Pages } from './brokenLinks.ts'
import type { Source } from './forbiddenNames.ts'

/** A reference that a reader cannot follow. */
export type DanglingReference = { readonly path: string; readonly line: number; readonly reference: string }

/**
 * References to documents outside the repository that are still in each folder. A folder that is not listed has none. The
 * numbers only shrink: the check also fails when a folder has fewer, until its number is lowered.
 */
const ceilings: Readonly<Record<string, number>> = {}

/** What refers to a document that is not here: the specification, the design notes, a numbered promise without a link. */
const outside = /\bspec 00\d\b|\bDESIGN §|\bDESIGN\.md\b|\bOrigin: |\(P\d+\)/g

/** Finds references to documents that are not in the repository. */
export function findOutsideReferences(sources: readonly Source[]): DanglingReference[] {
  return sources.flatMap(({ path, text }) =>
    linesOf(text).flatMap(({ content, line }) =>
      [...content.matchAll(outside)].map(([reference]) => ({ path, line, reference: reference.trim() })),
    ),
  )
}

/** Finds `docs/page.md#heading` and `docsPath: 'page.md#heading'` in sources whose page or heading does not exist. */
export function findMissingPages(
  sources: readonly Source[],
  pages: Pages,
  fileExists: (path: string) => boolean,
): DanglingReference[] {
  return sources.flatMap(({ path, text }) =>
    linesOf(text).flatMap(({ content, line }) =>
      pagesIn(content)
        .filter((link) => !linkExists(link, '', pages, fileExists))
        .map((reference) => ({ path, line, reference })),
    ),
  )
}

/** Compares the number of references in each folder with its ceiling. Returns a sentence for each folder that differs. */
export function compareWithCeilings(
  found: readonly DanglingReference[],
  allowed: Readonly<Record<string, number>>,
): string[] {
  const counts = new Map(Object.keys(allowed).map((folder) => [folder, 0]))
  for (const { path } of found) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
  return [...counts].flatMap(([folder, count]) => {
    const ceiling = allowed[folder] ?? 0
    if (count > ceiling)
      return [`${folder}: ${count} references to documents outside the repository; ${ceiling} allowed`]
    if (count < ceiling) return [`${folder}: ${count} references left; lower its ceiling from ${ceiling}`]
    return []
  })
}

function pagesIn(content: string): string[] {
  const named = content.matchAll(/\b(docs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?)/g)
  const paths = content.matchAll(/\bdocsPath: '([^']+)'/g)
  return [...[...named].map(([, link = '']) => link), ...[...paths].map(([, link = '']) => `docs/${link}`)]
}

/** `packages/core/src/a.ts` is in `packages/core`, `docs/a.md` in `docs`, `README.md` in `README.md`. */
function folderOf(path: string): string {
  return path.match(/^(?:packages|apps)\/[^/]+|^[^/]+/)?.[0] ?? path
}

function linesOf(text: string): { content: string; line: number }[] {
  return text.split('\n').map((content, index) => ({ content, line: index + 1 }))
}

if (import.meta.main) {
  const folders = '{contracts,packages,apps,bench,examples,scripts,on-demand}'
  const paths = globSync([`${folders}/**/*.{ts,tsx,js,sol,md}`, 'docs/**/*.md', '*.md'], {
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/generated/**',
      '**/earlier/**',
      // forge names an output folder after each source file.
      'contracts/out/**',
      'scripts/danglingReferences*',
    ],
    // The glob still lists folders there, such as node_modules/bn.js.
  }).filter((path) => !path.includes('node_modules'))
  const sources = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const pages = new Map(
    sources.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, text]),
  )
  const code = sources.filter(({ path }) => !path.endsWith('.md') && !path.startsWith('scripts/'))

  const outsideReferences = findOutsideReferences(sources)
  const differences = compareWithCeilings(outsideReferences, ceilings)
  const missing = findMissingPages(code, pages, existsSync)
  const folder = (path: string) => differences.some((sentence) => sentence.startsWith(`${folderOf(path)}:`))
  for (const { path, line, reference } of outsideReferences.filter(({ path: from }) => folder(from)))
    console.error(`${path}:${line}  ${reference}`)
  for (const { path, line, reference } of missing)
    console.error(`${path}:${line}  ${reference}: no such page or heading`)
  for (const sentence of differences) console.error(`scripts/danglingReferences.ts, ${sentence}`)
  if (differences.length + missing.length > 0) process.exitCode = 1
  else
    console.log(`${paths.length} files; ${outsideReferences.length} references to documents outside are left`)
}
