import { describe, expect, it } from 'vitest'
import { findViolations } from './importDirection.ts'

const reasons = (path: string, text: string) => findViolations([{ path, text }]).map(({ reason }) => reason)

describe('findViolations', () => {
  it('allows imports of lower packages', () => {
    expect(reasons('packages/golem/src/tick.ts', `import { BardoError } from '@bardo/core'`)).toEqual([])
    expect(reasons('packages/chain/src/a.ts', `import { usdc } from '@bardo/contracts'`)).toEqual([])
  })

  it('refuses an import of a higher package', () => {
    expect(reasons('packages/core/src/a.ts', `import { startGolem } from '@bardo/golem'`)).toEqual([
      'packages/core must not import packages/golem',
    ])
  })

  it('refuses imports between siblings', () => {
    expect(reasons('packages/store/src/a.ts', `export { x } from '@bardo/chain'`)).toHaveLength(1)
  })

  it('refuses type, dynamic, side-effect and multi-line imports too', () => {
    for (const text of [
      `import type { Golem } from '@bardo/golem'`,
      `const golem = await import('@bardo/golem')`,
      `import '@bardo/golem'`,
      `import {\n  a,\n  b,\n} from '@bardo/golem'`,
      `export * from '@bardo/golem/src/anything.ts'`,
    ])
      expect(reasons('packages/core/src/a.ts', text)).toHaveLength(1)
  })

  it('allows the devnet only in tests and the command line', () => {
    const text = `import { startDevnet } from '@bardo/devnet'`
    expect(reasons('packages/chain/src/a.test.ts', text)).toEqual([])
    expect(reasons('packages/chain/src/testing/stage.ts', text)).toEqual([])
    expect(reasons('apps/cli/src/up.ts', text)).toEqual([])
    expect(reasons('packages/chain/src/a.ts', text)).toHaveLength(1)
  })

  it('allows the pages to import only types of the server', () => {
    expect(reasons('apps/portal/src/a.ts', `import type { Client } from '@bardo/server'`)).toEqual([])
    expect(reasons('apps/portal/src/a.ts', `import { client } from '@bardo/server'`)).toEqual([
      'apps/portal can import only types of packages/server',
    ])
  })

  it('refuses a relative path that leaves the package', () => {
    expect(reasons('packages/golem/src/a.ts', `import { x } from '../../core/src/index.ts'`)).toHaveLength(1)
    expect(reasons('packages/golem/src/state/b.ts', `import { x } from '../config/c.ts'`)).toEqual([])
  })

  it('names the file and the line', () => {
    const [violation] = findViolations([
      { path: 'packages/core/src/a.ts', text: `// first\n\nimport { x } from '@bardo/golem'\n` },
    ])
    expect(violation).toMatchObject({ path: 'packages/core/src/a.ts', line: 3, import: '@bardo/golem' })
  })

  it('enforces the order of a package’s folders', () => {
    const path = 'packages/golem/src/action/a.ts'
    expect(reasons(path, `import { x } from '../state/b.ts'`)).toEqual([])
    expect(reasons(path, `import type { X } from '../worker/b.ts'`)).toEqual([
      'in packages/golem, action must not import worker',
    ])
    expect(reasons('packages/store/src/database/a.ts', `import { x } from '../openStore.ts'`)).toEqual([
      'in packages/store, database must not import .',
    ])
  })

  it('reports a folder that is not in the order', () => {
    expect(reasons('packages/golem/src/news/a.ts', `import { x } from '../state/b.ts'`)).toEqual([
      'folder news of packages/golem is missing in folderOrder (scripts/importDirection.ts)',
    ])
  })

  it('ignores the index of a package, and tests', () => {
    expect(reasons('packages/store/src/index.ts', `export { x } from './events/a.ts'`)).toEqual([])
    expect(reasons('packages/golem/src/action/a.test.ts', `import { x } from '../worker/b.ts'`)).toEqual([])
  })
})
