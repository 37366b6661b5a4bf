import { expect, it } from 'vitest'
import { findMissingProofs } from './findMissingProofs.ts'
import { readRows } from './readRows.ts'

const pages = new Map([['docs/golem.md', '# Golem\n\n## Death\n']])
const files = new Map([...pages, ['a.test.ts', "it('does this', () => {})"]])
const missing = (proof: string) =>
  findMissingProofs(readRows(`| 1 | a feature | works | ${proof} | |`).rows, {
    read: (path) => files.get(path),
    pages,
  })

it('accepts a test that is there, a page and a heading', () => {
  expect(missing('test: `a.test.ts`: does this<br>page: [g](golem.md)<br>page: [d](golem.md#death)')).toEqual(
    [],
  )
})

it.each([
  ['a missing file', 'test: `b.test.ts`: does this', 'row 1: b.test.ts does not exist'],
  ['a missing title', 'test: `a.test.ts`: does that', 'row 1: a.test.ts has no test "does that"'],
  ['a part of a title', 'test: `a.test.ts`: does', 'row 1: a.test.ts has no test "does"'],
  ['a missing heading', 'page: [d](golem.md#birth)', 'row 1: docs/golem.md#birth does not exist'],
])('reports %s', (_, proof, problem) => {
  expect(missing(proof)).toEqual([problem])
})
