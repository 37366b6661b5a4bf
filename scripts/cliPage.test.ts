import { expect, it } from 'vitest'
import { cliPage } from './cliPage.ts'

it('docs/cli.md shows every command of the catalog; `node scripts/cliPage.ts` writes them', () => {
  const { text, expected } = cliPage()
  expect(text).toBe(expected)
})
