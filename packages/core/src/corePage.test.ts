import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { describe, expect, it } from 'vitest'

const page = readFileSync(new URL('../../../docs/core.md', import.meta.url), 'utf8')
const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Readonly<Record<string, string>>
}
const subpaths = Object.keys(exports).filter((path) => path !== '.' && !path.startsWith('./testing/'))
const sections = page.split(/^### /m).slice(1)

/** The names and the subpath of every import in an example. */
const imports = /^import \{ (.+) \} from '@bardo\/core\/(\w+)'$/gm

type Check = { readonly code: string; readonly given: unknown; readonly expected: unknown }

/** Runs an example; returns each value that it states, and the value that it got. */
async function run(example: string): Promise<readonly Check[]> {
  const scope = new Map<string, unknown>()
  for (const [, names = '', subpath] of example.matchAll(imports)) {
    const found: Readonly<Record<string, unknown>> = await import(
      new URL(`../${exports[`./${subpath}`]}`, import.meta.url).href
    )
    for (const name of names.split(', ')) scope.set(name, found[name])
  }
  const body = example
    .replace(imports, '')
    .replace(/^(?!const )(\S.*) \/\/ (.+)$/gm, (_, code: string, said: string) => {
      return `checks.push({ code: ${JSON.stringify(code)}, given: ${code}, expected: ${said} })`
    })
  const script = `return (async () => {\n${stripTypeScriptTypes(body)}\n})()`
  const checks: Check[] = []
  await new Function('checks', ...scope.keys(), script)(checks, ...scope.values())
  return checks
}

describe('docs/core.md', () => {
  it('has one section for each subpath', () => {
    const titles = sections.map((section) => section.split('\n')[0])
    expect(titles.toSorted()).toEqual(subpaths.map((path) => `\`@bardo/core${path.slice(1)}\``).toSorted())
  })

  it.each(sections.map((section) => [section.split('\n')[0], section]))(
    'states what the example of %s returns',
    async (_, section = '') => {
      const checks = await run(/```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? '')
      expect(checks.length).toBeGreaterThan(0)
      for (const { code, given, expected } of checks)
        expect({ code, value: given }).toEqual({ code, value: expected })
    },
  )
})
