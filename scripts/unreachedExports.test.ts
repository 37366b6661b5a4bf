import { describe, expect, it } from 'vitest'
import { findUnreached } from './unreachedExports.ts'

const file = 'packages/core/src/index.ts'
const report = { issues: [{ file, exports: [{ name: 'evaluate' }, { name: 'explain' }] }] }

describe('findUnreached', () => {
  it('names an export that nothing reaches', () => {
    expect(findUnreached(report, ['`explain(x)` tells why.'], {})).toEqual({
      unreached: [{ name: 'evaluate', file }],
      stale: [],
    })
  })

  it('accepts a listed export, and refuses an entry that is reached or gone', () => {
    const allowed = { evaluate: 'the portal', removed: 'nothing' }
    expect(findUnreached(report, ['explain'], allowed)).toEqual({ unreached: [], stale: ['removed'] })
  })

  it('looks at the main index of a package, and not at the devnet, which is made for tests', () => {
    const elsewhere = ['packages/devnet/src/index.ts', 'packages/core/src/caveats/index.ts']
    const issues = elsewhere.map((path) => ({ file: path, exports: [{ name: 'evaluate' }] }))
    expect(findUnreached({ issues }, [], {})).toEqual({ unreached: [], stale: [] })
  })
})
