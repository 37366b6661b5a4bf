import { expect, it } from 'vitest'
import { addressesModule } from './addressesModule.ts'
import { addressesPage } from './addressesPage.ts'

it.each([
  ['docs/deployment.md', addressesPage],
  ['core/src/deployments/contractAddresses.ts', addressesModule],
])('%s has the addresses of the bytecode; `npm run build:contracts` writes them', (_, read) => {
  const { text, expected } = read()
  expect(text).toBe(expected)
})
