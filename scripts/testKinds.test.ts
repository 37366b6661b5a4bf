import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { testKinds } from './testKinds.ts'

const root = mkdtempSync(join(tmpdir(), 'bardo-kinds-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

const test = 'packages/one/src/a.test.ts'

/** The kind of a test with this text, in a repository with these files beside it. */
function kindOf(text: string, files: Readonly<Record<string, string>> = {}) {
  const manifest = { name: '@bardo/two', exports: { '.': './src/index.ts', './helper': './src/helper.ts' } }
  const all = { 'packages/two/package.json': JSON.stringify(manifest), ...files, [test]: text }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return Object.entries(testKinds(root)).flatMap(([kind, tests]) => tests.map((path) => `${kind}: ${path}`))
}

const starter = "import { spawn } from 'node:child_process'\n"
const index =
  "export { start, type Running } from './start.ts'\nexport { pure as plain } from './pure.ts'\nexport { pure } from './pure.ts'\n"
const two = {
  'packages/two/src/index.ts': index,
  'packages/two/src/start.ts': starter,
  'packages/two/src/pure.ts': 'export const pure = 1\n',
  'packages/two/src/helper.ts': "export * from './start.ts'\n",
}

describe('a test file', () => {
  it.each<[string, string, string]>([
    ['imports nothing that starts anything', "import { pure } from '@bardo/two'\n", 'unit'],
    ['starts a process', starter, 'integration'],
    [
      'starts a process in a dynamic import',
      `await import(${JSON.stringify('node:child_process')})`,
      'integration',
    ],
    ['reaches one through a package index', "import { pure, start } from '@bardo/two'\n", 'integration'],
    ['reaches one through a subpath', "import { any } from '@bardo/two/helper'\n", 'integration'],
    ['imports a whole package', "import * as all from '@bardo/two'\n", 'integration'],
    ['imports types of it only', "import type { start } from '@bardo/two'\n", 'unit'],
    ['imports a type of it by name', "import { pure, type start } from '@bardo/two'\n", 'unit'],
    ['replaces a module', "vi.mock('./x.ts')\n", 'isolated'],
    ['replaces a function', "vi.spyOn(process, 'getuid')\n", 'isolated'],
  ])('that %s', (_, text, kind) => {
    expect(kindOf(text, two)).toEqual([`${kind}: ${test}`])
  })

  it('that reaches a database through two files', () => {
    const files = {
      'packages/one/src/b.ts': "export { c } from './c.ts'\n",
      'packages/one/src/c.ts': "import { PGlite } from '@electric-sql/pglite'\n",
    }
    expect(kindOf("import {\n  b,\n} from './b.ts'\n", files)).toEqual([`integration: ${test}`])
  })

  it('of another command has no kind', () => {
    const files = { 'packages/one/src/b.snaps.test.ts': '', 'packages/one/src/c.bundler.test.ts': '' }
    expect(kindOf('', files)).toEqual([`unit: ${test}`])
  })
})

it('sorts each test file of this repository into one kind', () => {
  const { unit, integration, isolated } = testKinds(join(import.meta.dirname, '..'))
  const all = [...unit, ...integration, ...isolated]
  expect(new Set(all).size).toBe(all.length)
  expect(unit).toContain('scripts/testKinds.test.ts')
  expect(integration).toContain('packages/devnet/src/startDevnet.test.ts')
  expect(isolated).toContain('apps/cli/src/testing/books/mutants.test.ts')
})
