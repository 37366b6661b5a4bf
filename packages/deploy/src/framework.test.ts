import { expect, it } from 'vitest'
import { canonicalFramework, frameworkOn } from './framework.ts'
import { targets } from './targets.ts'

const { devnet: _, ...chains } = targets

it.each(Object.entries(chains))('has the same addresses on %s as everywhere', (_, { id }) => {
  const { implementations, caveatEnforcers, ...single } = canonicalFramework
  expect(frameworkOn(id)).toMatchObject({ ...single, implementations })
  expect(frameworkOn(id)?.caveatEnforcers).toEqual(caveatEnforcers)
})

it('is undefined on a chain that MetaMask does not list', () => {
  expect(frameworkOn(31_337)).toBeUndefined()
})
