import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as core from './index.ts'

/** The functions that the subpaths export, each with the example in its comment. */
const functions = globSync(join(import.meta.dirname, '*/index.ts')).flatMap((index) =>
  [...readFileSync(index, 'utf8').matchAll(/export \{([^}]*)\} from '([^']+)'/g)].flatMap(
    ([, names = '', path = '']) => {
      const text = readFileSync(join(dirname(index), path), 'utf8')
      return names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && new RegExp(`^export (?:async )?function ${name}\\b`, 'm').test(text))
        .map((name) => ({ name, path, example: exampleOf(name, text) }))
    },
  ),
)

function exampleOf(name: string, text: string): string | undefined {
  const [before = ''] = text.split(new RegExp(`^export (?:async )?function ${name}\\b`, 'm'))
  if (!before.endsWith('*/\n')) return undefined
  const comment = before.slice(before.lastIndexOf('/**')).replace(/^ \*(?: |\/$|$)/gm, '')
  return comment.split('@example\n')[1]?.trim()
}

it('has an example on every function that a subpath exports', () => {
  expect(functions.length).toBeGreaterThan(100)
  expect(functions.filter(({ example }) => !example).map(({ name, path }) => `${path}: ${name}`)).toEqual([])
})

describe('a self-contained example gives the stated result', () => {
  const checked = functions.flatMap(({ name, example = '' }) => {
    const lines = example.split('\n')
    const [, code, said] = /^(.*\S) \/\/ (.+)$/.exec(lines.at(-1) ?? '') ?? []
    if (!code || !said) return []
    try {
      const body = stripTypeScriptTypes([...lines.slice(0, -1), `result = [${code}, ${said}]`].join('\n'))
      const run = new Function(...Object.keys(core), `let result\n${body}\nreturn result`)
      const [given, expected] = run(...Object.values(core)) as [unknown, unknown]
      return [{ name, given, expected }]
    } catch (error) {
      // It needs a delegation, a wallet or a chain, or its comment is not a value.
      if (error instanceof ReferenceError || error instanceof SyntaxError) return []
      return [{ name, given: error, expected: undefined }]
    }
  })

  it.each(checked)('$name', ({ given, expected }) => expect(given).toEqual(expected))

  it('checks many examples', () => expect(checked.length).toBeGreaterThan(25))
})
