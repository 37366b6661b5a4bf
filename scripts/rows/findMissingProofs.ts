import { posix } from 'node:path'
import { linkExists, type Pages } from '../brokenLinks.ts'
import type { Row } from './readRows.ts'

/** What a proof needs: the sources of tests, and the pages. */
export type Proofs = {
  /** The text of a file of the repository; undefined if there is none. */
  read(path: string): string | undefined
  readonly pages: Pages
}

/** Proofs that name a test file, a title, or a page that does not exist. */
export function findMissingProofs(rows: readonly Row[], { read, pages }: Proofs): readonly string[] {
  return rows.flatMap(({ number, proofs }) =>
    proofs.flatMap((proof) => {
      const problem = problemOf(proof)
      return problem === undefined ? [] : [`row ${number}: ${problem}`]
    }),
  )

  function problemOf(proof: Row['proofs'][number]): string | undefined {
    switch (proof.type) {
      case 'run':
        return undefined
      case 'page': {
        const exists = (path: string) => read(path) !== undefined
        return linkExists(proof.link, 'docs/coverage.md', pages, exists)
          ? undefined
          : `${posix.join('docs', proof.link)} does not exist`
      }
      case 'test': {
        const source = read(proof.file)
        if (source === undefined) return `${proof.file} does not exist`
        const isTitle = ["'", '"', '`'].some((quote) => source.includes(`${quote}${proof.title}${quote}`))
        return isTitle ? undefined : `${proof.file} has no test "${proof.title}"`
      }
    }
  }
}
