import { describe, expect, it } from 'vitest'
import { compareWithCeilings, findMissingPages, findOutsideReferences } from './danglingReferences.ts'

const references = (text: string) =>
  findOutsideReferences([{ path: 'packages/core/src/a.ts', text }]).map(({ line, reference }) => [
    line,
    reference,
  ])

describe('findOutsideReferences', () => {
  it.each([
    ['// spec 003 says so', 'spec 003'],
    ['/** See DESIGN §5a. */', 'DESIGN §'],
    ['see DESIGN.md', 'DESIGN.md'],
    ['/** A limit. Origin: ours. */', 'Origin:'],
    ['sent once (P8)', '(P8)'],
  ])('finds a reference to a document outside the repository: %s', (text, reference) => {
    expect(references(`\n${text}`)).toEqual([[2, reference]])
  })

  it('accepts a link to our own page', () => {
    expect(references('sent once: docs/design.md#promises, [P8](design.md#promises)')).toEqual([])
  })
})

describe('findMissingPages', () => {
  const pages = new Map([['docs/golem.md', '# Golem\n\n## Keys\n']])
  const missing = (text: string) =>
    findMissingPages([{ path: 'packages/golem/src/a.ts', text }], pages, (path) => pages.has(path)).map(
      ({ reference }) => reference,
    )

  it('accepts a page and a heading that exist', () => {
    expect(
      missing(`// docs/golem.md, docs/golem.md#keys\ndocsPath: 'golem.md#keys',\ndocsPath: 'golem.md'`),
    ).toEqual([])
  })

  it('finds a page that does not exist', () => {
    expect(missing('// see docs/gone.md')).toEqual(['docs/gone.md'])
    expect(missing(`docsPath: 'gone.md#keys',`)).toEqual(['docs/gone.md#keys'])
  })

  it('finds a heading that the page does not have', () => {
    expect(missing(`docsPath: 'golem.md#keys-of-old',`)).toEqual(['docs/golem.md#keys-of-old'])
  })
})

describe('compareWithCeilings', () => {
  const found = [1, 2].map((line) => ({ path: 'packages/core/src/a.ts', line, reference: 'DESIGN.md' }))

  it('accepts exactly the number that is allowed', () => {
    expect(compareWithCeilings(found, { 'packages/core': 2 })).toEqual([])
    expect(compareWithCeilings([], {})).toEqual([])
  })

  it('refuses more than the ceiling, and any in a folder without one', () => {
    expect(compareWithCeilings(found, { 'packages/core': 1 })).toHaveLength(1)
    expect(compareWithCeilings(found, {})).toHaveLength(1)
  })

  it('asks for a lower ceiling when fewer are left', () => {
    expect(compareWithCeilings(found, { 'packages/core': 3 })).toEqual([
      'packages/core: 2 references left; lower its ceiling from 3',
    ])
    expect(compareWithCeilings([], { 'packages/core': 1 })).toHaveLength(1)
  })
})
