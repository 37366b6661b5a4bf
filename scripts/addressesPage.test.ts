import { expect, it } from 'vitest'
import { addressesPage } from './addressesPage.ts'

it('docs/deployment.md shows the addresses that the bytecode gives; `npm run build:contracts` writes them', () => {
  const { text, wanted } = addressesPage()
  expect(text).toBe(wanted)
})
