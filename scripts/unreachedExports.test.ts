import { describe, expect, it } from 'vitest'
import { findUnreached } from './unreachedExports.ts'

const file = 'packages/core/src/index.ts'
const folder = 'packages/core/src/caveats/index.ts'
const report = { issues: [{ file, exports: [{ name: 'evaluate' }, { name: 'explain' }] }] }
const none = new Map<string, ReadonlySet<string>>()

describe('findUnreached', () => {
  it('names an export that nothing reaches', () => {
    expect(findUnreached(report, none, ['`explain(x)` tells why.'], {})).toEqual({
      unreached: [{ name: 'evaluate', file }],
      stale: [],
    })
  })

  it('counts the code of a page, and not its prose', () => {
    const page = 'You can explain it.\n\n```ts\nevaluate(x)\n```\n'
    expect(findUnreached(report, none, [page], {}).unreached).toEqual([{ name: 'explain', file }])
  })

  it('accepts a listed export, and refuses an entry that is reached or gone', () => {
    const allowed = { evaluate: 'the portal', removed: 'nothing' }
    expect(findUnreached(report, none, ['`explain`'], allowed)).toEqual({ unreached: [], stale: ['removed'] })
  })

  it('looks at the indexes of folders too, and not at the devnet, which is made for tests', () => {
    const issues = ['packages/devnet/src/index.ts', folder, 'packages/core/src/caveats/cage.ts'].map(
      (path) => ({
        file: path,
        exports: [{ name: 'evaluate' }],
      }),
    )
    expect(findUnreached({ issues }, none, [], {}).unreached).toEqual([{ name: 'evaluate', file: folder }])
  })

  it('accepts an export that is reached through another index of its package', () => {
    const exported = new Map([
      [file, new Set(['evaluate', 'explain'])],
      [folder, new Set(['evaluate'])],
      ['packages/chain/src/index.ts', new Set(['explain'])],
    ])
    expect(findUnreached(report, exported, [], {}).unreached).toEqual([{ name: 'explain', file }])
  })
})
