import { posix } from 'node:path'

/** A source file: its path from the repository's root, and its text. */
export type Source = { readonly path: string; readonly text: string }

/** An import that goes against the direction. */
export type Violation = {
  readonly path: string
  readonly line: number
  readonly import: string
  readonly reason: string
}

type Folder =
  | 'contracts'
  | `packages/${'core' | 'deploy' | 'chain' | 'store' | 'wallets' | 'golem' | 'server' | 'devnet'}`
  | `apps/${'cli' | 'portal' | 'snap'}`

/**
 * Who may import whom. A package sees what is named here and nothing else; `chain` and `store` are siblings and do not
 * see each other. The folders in `asTypes` may be imported with `import type` only.
 */
const mayImport: Readonly<Record<Folder, { values: readonly Folder[]; asTypes?: readonly Folder[] }>> = {
  contracts: { values: [] },
  'packages/core': { values: ['contracts'] },
  'packages/deploy': { values: ['contracts', 'packages/core'] },
  'packages/chain': { values: ['contracts', 'packages/core', 'packages/deploy'] },
  'packages/store': { values: ['packages/core'] },
  'packages/wallets': { values: ['contracts', 'packages/core', 'packages/chain', 'packages/store'] },
  'packages/golem': {
    values: ['contracts', 'packages/core', 'packages/chain', 'packages/store', 'packages/wallets'],
  },
  'packages/server': {
    values: [
      'contracts',
      'packages/core',
      'packages/chain',
      'packages/store',
      'packages/wallets',
      'packages/golem',
    ],
  },
  'packages/devnet': { values: ['contracts', 'packages/core', 'packages/deploy'] },
  'apps/cli': {
    values: [
      'contracts',
      'packages/core',
      'packages/chain',
      'packages/store',
      'packages/wallets',
      'packages/golem',
      'packages/server',
      'packages/deploy',
      'packages/devnet',
    ],
  },
  'apps/portal': { values: ['packages/core'], asTypes: ['packages/server'] },
  'apps/snap': { values: ['packages/core'], asTypes: ['packages/server'] },
}

// Tests, and what only they share, build their world with the devnet, whichever package they belong to.
const isTest = (path: string) => /\.(test|bench)\.tsx?$|\/testing\//.test(path)

/** Finds every import that goes against the direction, or around a package's entry point. */
export function findViolations(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ path, text }) => {
    const from = folderOf(path)
    if (!from) return []
    return importsIn(text).flatMap((found) => {
      const reason = judge(path, from, found)
      return reason ? [{ path, line: found.line, import: found.specifier, reason }] : []
    })
  })
}

type Import = { specifier: string; line: number; typeOnly: boolean }

function judge(path: string, from: Folder, { specifier, typeOnly }: Import): string | undefined {
  if (specifier.startsWith('.')) {
    const target = folderOf(posix.join(posix.dirname(path), specifier))
    return target === from ? undefined : `leaves ${from} by a relative path; import the package by its name`
  }
  const target = folderNamed(specifier)
  if (!target || target === from) return undefined
  const { values, asTypes = [] } = mayImport[from]
  if (values.includes(target) || (typeOnly && asTypes.includes(target))) return undefined
  if (isTest(path) && target === 'packages/devnet') return undefined
  if (asTypes.includes(target)) return `${from} may import ${target} as types only`
  return `${from} must not import ${target}`
}

/** `import … from`, `export … from`, `import('…')` and bare `import '…'`, with the line each stands on. */
function importsIn(text: string): Import[] {
  const pattern =
    /^[ \t]*(?<kind>import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s+)?['"](?<from>[^'"]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"]+)['"]/gm
  return [...text.matchAll(pattern)].map(({ index, groups = {}, 0: match }) => ({
    specifier: groups['from'] ?? groups['dynamic'] ?? '',
    line: text.slice(0, index + match.length).split('\n').length,
    typeOnly: groups['type'] !== undefined,
  }))
}

function folderOf(path: string): Folder | undefined {
  return (Object.keys(mayImport) as Folder[]).find((folder) => path.startsWith(`${folder}/`))
}

/** `@bardo/core` and `@bardo/core/anything` are the folder whose last part is `core`. */
function folderNamed(specifier: string): Folder | undefined {
  const name = specifier.match(/^@bardo\/([^/]+)/)?.[1]
  return name
    ? (Object.keys(mayImport) as Folder[]).find((folder) => folder.split('/').at(-1) === name)
    : undefined
}
