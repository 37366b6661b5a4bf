import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('prints one tree of two Golems, a Replicant and an observer, each within its part', async () => {
  const script = new URL('./delegation-tree.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.slice(0, 6)).toEqual([
    'D1 buys for $300: done',
    'D1.1 buys for $40: done',
    expect.stringMatching(/^D1\.1 buys for \$11 more: ReplicantBudget refuses/),
    'D1.2 publishes: done',
    expect.stringMatching(/^D1\.2 buys for \$1: Cage refuses/),
    'D2 buys for $100: done',
  ])
  const tree = lines.slice(6).join('\n')
  for (const name of ['├─ D1 to', '│  ├─ D1.1 to', '│  └─ D1.2 to', '└─ D2 to']) expect(tree).toContain(name)
  expect(tree).toMatch(/D1\.1 to .*: active/)
  expect(tree).toContain('at most $0 in any 24 hours, $0 per action; only publish')
})
