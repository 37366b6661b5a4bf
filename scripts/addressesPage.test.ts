import { expect, it } from 'vitest'
import { addressesPage } from './addressesPage.ts'

it('docs/deployment.md shows the addresses of the bytecode; `npm run build:contracts` writes them', () => {
  const { text, expected } = addressesPage()
  expect(text).toBe(expected)
})
