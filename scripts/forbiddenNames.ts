/** Fails when a TypeScript source uses a name that the table of docs/glossary.md forbids. */
import { globSync, readFileSync } from 'node:fs'
import { type AllowedName, allowedNames } from './allowedNames.ts'
import { identifiersIn } from './identifiersIn.ts'

/** A source file: its path from the repository's root, and its text. */
export type Source = { readonly path: string; readonly text: string }

/** A row of the table: the names that are not used, and what to write instead. */
export type ForbiddenName = { readonly patterns: readonly string[]; readonly instead: string }

/** An identifier that the table forbids. */
export type ForbiddenUse = {
  readonly path: string
  readonly line: number
  readonly name: string
  readonly instead: string
}

const heading = '## Names that are not used'

/** Reads the table below its heading in the glossary. The first column has the names in code font, the second the words to use. */
export function readForbiddenNames(glossary: string): ForbiddenName[] {
  const section = glossary.split(heading)[1]?.split(/^## /m)[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => {
    const [names = '', instead = ''] = row.split('|').slice(1)
    return {
      patterns: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      instead: instead.trim(),
    }
  })
}

/** Finds identifiers that a row forbids: declared or used, but not in comments or strings. */
export function findForbiddenUses(
  sources: readonly Source[],
  forbidden: readonly ForbiddenName[],
): ForbiddenUse[] {
  return sources.flatMap(({ path, text }) =>
    identifiersIn(path, text).flatMap(({ name, start }) => {
      const row = forbidden.find(({ patterns }) => patterns.some((pattern) => matches(name, pattern)))
      return row ? [{ path, line: text.slice(0, start).split('\n').length, name, instead: row.instead }] : []
    }),
  )
}

/** Splits the uses into those that no entry allows, and names the entries that allow nothing any more. */
export function applyAllowList(
  uses: readonly ForbiddenUse[],
  allowed: readonly AllowedName[],
): { readonly refused: ForbiddenUse[]; readonly stale: AllowedName[] } {
  const allows = (entry: AllowedName, use: ForbiddenUse) =>
    use.path.startsWith(entry.in) && (entry.name === use.name || wordsOf(use.name).includes(entry.name))
  return {
    refused: uses.filter((use) => !allowed.some((entry) => allows(entry, use))),
    stale: allowed.filter((entry) => !uses.some((use) => allows(entry, use))),
  }
}

/**
 * A pattern in lower case is a word: `seat` matches `seat`, `ownerSeat` and `Seats`. A pattern with a capital is a whole
 * identifier: `Place` does not match `place`. A star at the end matches any rest: `judge*`.
 */
function matches(name: string, pattern: string): boolean {
  const isPrefix = pattern.endsWith('*')
  const text = isPrefix ? pattern.slice(0, -1) : pattern
  if (/[A-Z]/.test(text)) return isPrefix ? name.startsWith(text) : name === text
  return wordsOf(name).some((word) => (isPrefix ? word.startsWith(text) : isWord(word, text)))
}

const isWord = (word: string, singular: string) =>
  word === singular || word === `${singular}s` || word === `${singular}es`

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())
}

if (import.meta.main) {
  const forbidden = readForbiddenNames(readFileSync('docs/glossary.md', 'utf8'))
  if (forbidden.length === 0) throw new Error(`docs/glossary.md has no table below "${heading}"`)
  const paths = globSync('{contracts,packages,apps,bench,examples,scripts,on-demand}/**/*.{ts,tsx}', {
    exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**'],
  })
  const sources = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const { refused, stale } = applyAllowList(findForbiddenUses(sources, forbidden), allowedNames)
  for (const { path, line, name, instead } of refused)
    console.error(`${path}:${line}  ${name}: use ${instead} (docs/glossary.md)`)
  for (const { name, in: folder } of stale)
    console.error(`scripts/allowedNames.ts: ${name} is not in ${folder} any more; remove the entry`)
  if (refused.length + stale.length > 0) process.exitCode = 1
  else console.log(`${paths.length} files use no forbidden name`)
}
