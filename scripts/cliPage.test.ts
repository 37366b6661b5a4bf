import { expect, it } from 'vitest'
import { cliPage } from './cliPage.ts'

it('docs/cli.md shows every command as the catalog has it; `node scripts/cliPage.ts` writes them', () => {
  const { text, wanted } = cliPage()
  expect(text).toBe(wanted)
})
