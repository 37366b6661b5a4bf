import { posix } from 'node:path'

/** A source file: its path from the repository's root, and its text. */
export type Source = { readonly path: string; readonly text: string }

/** An import in the wrong direction. */
export type Violation = {
  readonly path: string
  readonly line: number
  readonly import: string
  readonly reason: string
}

type Folder =
  | 'contracts'
  | `packages/${'core' | 'deploy' | 'chain' | 'store' | 'wallets' | 'golem' | 'tools' | 'operations' | 'server' | 'devnet'}`
  | `apps/${'cli' | 'portal' | 'snap'}`

/**
 * The allowed imports between packages. A package can import only what is listed here; `chain` and `store`
 * are siblings and do not import each other. The folders in `asTypes` can be imported only with `import
 * type`.
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
  'packages/tools': {
    values: [
      'contracts',
      'packages/core',
      'packages/chain',
      'packages/store',
      'packages/wallets',
      'packages/golem',
    ],
  },
  'packages/operations': {
    values: [
      'contracts',
      'packages/core',
      'packages/chain',
      'packages/store',
      'packages/wallets',
      'packages/golem',
    ],
  },
  'packages/server': {
    values: [
      'packages/operations',
      'contracts',
      'packages/core',
      'packages/chain',
      'packages/store',
      'packages/wallets',
      'packages/golem',
      'packages/tools',
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
      'packages/tools',
      'packages/operations',
      'packages/server',
      'packages/deploy',
      'packages/devnet',
    ],
  },
  'apps/portal': { values: ['packages/core'], asTypes: ['packages/server'] },
  'apps/snap': { values: ['packages/core'], asTypes: ['packages/server'] },
}

/**
 * The folders of each package: a folder can import only folders before it. `.` is the files beside the
 * folders.
 */
const folderOrder: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [
    'crypto',
    'errors',
    'format',
    'batching',
    'journal',
    'onboarding',
    'phase',
    'typedData',
    'caveats',
    'death',
    'economics',
    'ledger',
    'session',
    'delegation',
    'deployments',
    'accounts',
    'redemption',
    'reverts',
    'ownerActions',
    'permissions',
  ],
  'packages/chain': [
    '.',
    'crypto',
    'accounts',
    'deployments',
    'events',
    'submission',
    'identity',
    'reads',
    'explain',
    'redemption',
    'cosigning',
    'uniswap',
    'ownerActions',
    'gasAllowance',
    'vitals',
    'rotation',
  ],
  'packages/store': ['json', 'database', 'events', 'jobs', 'journal', 'migrations', 'repositories', '.'],
  'packages/operations': [
    'owner',
    'lineage',
    'money',
    'permission',
    'constitution',
    'requests',
    'summon',
    'identity',
    '.',
  ],
  'packages/wallets': ['.', 'keys'],
  'packages/golem': [
    'config',
    'mood',
    'observeOnly',
    'dreams',
    'strategy',
    'state',
    'events',
    'permission',
    'snapshot',
    'submission',
    'ledger',
    'council',
    'action',
    'funding',
    'requests',
    'keys',
    'positions',
    'identity',
    'manifest',
    'death',
    'summon',
    'replicants',
    'crossGolem',
    'heartbeat',
    'worker',
    '.',
  ],
  'packages/tools': ['.', 'mcp'],
  'packages/devnet': ['anvil', 'world', 'uniswap', 'deploy', '.', 'wallet'],
  'apps/cli': ['terminal', 'context', 'demo', 'text', 'rpc', 'watch', 'commands', '.'],
}

// Tests and their helpers can use the devnet, in any package.
const isTest = (path: string) => /\.(test|bench)\.tsx?$|\/testing\//.test(path)

/** Finds every import in the wrong direction: between packages, or between the folders of one package. */
export function findViolations(sources: readonly Source[]): Violation[] {
  return [...betweenPackages(sources), ...betweenFolders(sources)]
}

function betweenPackages(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ path, text }) => {
    const from = folderOf(path)
    if (!from) return []
    return importsIn(text).flatMap((statement) => {
      const reason = checkImport(path, from, statement)
      return reason ? [{ path, line: statement.line, import: statement.specifier, reason }] : []
    })
  })
}

/**
 * Imports between the folders of a package, by the order above. Ignores a package's index, which joins all
 * folders.
 */
function betweenFolders(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ path, text }) => {
    const from = srcFolderOf(path)
    if (!from || isTest(path) || path.endsWith('/src/index.ts')) return []
    return importsIn(text).flatMap(({ specifier, line }) => {
      const to = specifier.startsWith('.')
        ? srcFolderOf(posix.join(posix.dirname(path), specifier))
        : undefined
      const reason = to && to.folder !== from.folder && checkFolders(from, to.folder)
      return reason ? [{ path, line, import: specifier, reason }] : []
    })
  })
}

function checkFolders({ pack, folder: from }: SrcFolder, to: string): string | undefined {
  const order = folderOrder[pack] ?? []
  const unknown = [from, to].find((folder) => !order.includes(folder))
  if (unknown) return `folder ${unknown} of ${pack} is missing in folderOrder (scripts/importDirection.ts)`
  if (order.indexOf(to) < order.indexOf(from)) return undefined
  return `in ${pack}, ${from} must not import ${to}`
}

type SrcFolder = { readonly pack: string; readonly folder: string }

/**
 * `packages/golem/src/action/buildAction.ts` is in the folder `action`; a file in `src` itself is in the
 * folder `.`.
 */
function srcFolderOf(path: string): SrcFolder | undefined {
  const [, pack, folder = '.'] = path.match(/^((?:packages|apps)\/[^/]+)\/src(?:\/([^/]+))?\//) ?? []
  return pack === undefined ? undefined : { pack, folder }
}

type Import = { specifier: string; line: number; typeOnly: boolean }

function checkImport(path: string, from: Folder, { specifier, typeOnly }: Import): string | undefined {
  if (specifier.startsWith('.')) {
    const target = folderOf(posix.join(posix.dirname(path), specifier))
    return target === from ? undefined : `leaves ${from} with a relative path; import the package by its name`
  }
  const target = folderNamed(specifier)
  if (!target || target === from) return undefined
  const { values, asTypes = [] } = mayImport[from]
  if (values.includes(target) || (typeOnly && asTypes.includes(target))) return undefined
  if (isTest(path) && target === 'packages/devnet') return undefined
  if (asTypes.includes(target)) return `${from} can import only types of ${target}`
  return `${from} must not import ${target}`
}

/** `import … from`, `export … from`, `import('…')` and bare `import '…'`, each with its line. */
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

/** `@bardo/core` and `@bardo/core/anything` belong to the folder whose last part is `core`. */
function folderNamed(specifier: string): Folder | undefined {
  const name = specifier.match(/^@bardo\/([^/]+)/)?.[1]
  return name
    ? (Object.keys(mayImport) as Folder[]).find((folder) => folder.split('/').at(-1) === name)
    : undefined
}
