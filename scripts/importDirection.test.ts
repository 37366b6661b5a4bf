import { describe, expect, it } from 'vitest'
import { findViolations } from './importDirection.ts'

const reasons = (path: string, text: string) => findViolations([{ path, text }]).map(({ reason }) => reason)

describe('findViolations', () => {
  it('lets imports go down the line', () => {
    expect(reasons('packages/golem/src/tick.ts', `import { BardoError } from '@bardo/core'`)).toEqual([])
    expect(reasons('packages/chain/src/a.ts', `import { usdc } from '@bardo/contracts'`)).toEqual([])
  })

  it('refuses an import up the line', () => {
    expect(reasons('packages/core/src/a.ts', `import { startGolem } from '@bardo/golem'`)).toEqual([
      'packages/core must not import packages/golem',
    ])
  })

  it('refuses siblings that know each other', () => {
    expect(reasons('packages/store/src/a.ts', `export { x } from '@bardo/chain'`)).toHaveLength(1)
  })

  it('refuses it as a type, as a dynamic import, for its effect, and over several lines', () => {
    for (const text of [
      `import type { Golem } from '@bardo/golem'`,
      `const golem = await import('@bardo/golem')`,
      `import '@bardo/golem'`,
      `import {\n  a,\n  b,\n} from '@bardo/golem'`,
      `export * from '@bardo/golem/src/anything.ts'`,
    ])
      expect(reasons('packages/core/src/a.ts', text)).toHaveLength(1)
  })

  it('keeps the devnet to tests and the command line', () => {
    const text = `import { startDevnet } from '@bardo/devnet'`
    expect(reasons('packages/chain/src/a.test.ts', text)).toEqual([])
    expect(reasons('packages/chain/src/testing/stage.ts', text)).toEqual([])
    expect(reasons('apps/cli/src/up.ts', text)).toEqual([])
    expect(reasons('packages/chain/src/a.ts', text)).toHaveLength(1)
  })

  it('lets the pages know the server by its types alone', () => {
    expect(reasons('apps/portal/src/a.ts', `import type { Client } from '@bardo/server'`)).toEqual([])
    expect(reasons('apps/portal/src/a.ts', `import { client } from '@bardo/server'`)).toEqual([
      'apps/portal may import packages/server as types only',
    ])
  })

  it('refuses a relative path out of the package', () => {
    expect(reasons('packages/golem/src/a.ts', `import { x } from '../../core/src/index.ts'`)).toHaveLength(1)
    expect(reasons('packages/golem/src/a/b.ts', `import { x } from '../c.ts'`)).toEqual([])
  })

  it('says where', () => {
    const [violation] = findViolations([
      { path: 'packages/core/src/a.ts', text: `// first\n\nimport { x } from '@bardo/golem'\n` },
    ])
    expect(violation).toMatchObject({ path: 'packages/core/src/a.ts', line: 3, import: '@bardo/golem' })
  })
})
