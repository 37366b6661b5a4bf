import { describe, expect, it } from 'vitest'
import { findBrokenLinks } from './brokenLinks.ts'

const files = new Set(['README.md', 'docs/devnet.md', 'docs/picture.png'])
const devnet = '# The devnet\n\n## When it does not start\n\n## `warp` & time\n\n## Twice\n\n## Twice\n'
const broken = (text: string) =>
  findBrokenLinks(
    new Map([
      ['README.md', text],
      ['docs/devnet.md', devnet],
    ]),
    (path) => files.has(path),
  )

describe('findBrokenLinks', () => {
  it('accepts files, pictures, headings, and other hosts', () => {
    for (const link of [
      'docs/devnet.md',
      './docs/picture.png',
      'docs/devnet.md#when-it-does-not-start',
      'docs/devnet.md#warp--time',
      'docs/devnet.md#twice-1',
      'https://eips.ethereum.org/EIPS/eip-7702',
    ])
      expect(broken(`[a](${link})`)).toEqual([])
  })

  it('reports a link to a missing file, with its line', () => {
    expect(broken('one\n\n[a](docs/gone.md)')).toEqual([{ path: 'README.md', line: 3, link: 'docs/gone.md' }])
  })

  it('reports a missing heading, on the same page and on another', () => {
    expect(broken('# Here\n[a](#here) [b](#there)').map(({ link }) => link)).toEqual(['#there'])
    expect(broken('[a](docs/devnet.md#twice-2)')).toHaveLength(1)
  })

  it('checks pictures and anchors written in HTML', () => {
    expect(broken('<img alt="x" src="docs/gone.png"> <a href="gone.md">x</a>')).toHaveLength(2)
  })

  it('ignores code', () => {
    expect(broken('`[a](gone.md)`\n\n```md\n[a](gone.md)\n```\n')).toEqual([])
  })
})
