import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as main from './index.ts'

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Readonly<Record<string, string>>
}
const subpaths = Object.keys(exports).filter((path) => path !== '.' && !path.startsWith('./testing/'))
/** Exports that are too few for a separate subpath. */
const onlyInMain = ['advanceOnboarding', 'createBatcher', 'onboardingSteps']

it('has every export in the main index and in exactly one subpath, with the same value', async () => {
  const places = new Map<string, string[]>()
  for (const subpath of subpaths) {
    const found: Readonly<Record<string, unknown>> = await import(
      new URL(`../${exports[subpath]}`, import.meta.url).href
    )
    for (const [name, value] of Object.entries(found)) {
      expect({ name, value }).toEqual({ name, value: (main as Readonly<Record<string, unknown>>)[name] })
      places.set(name, [...(places.get(name) ?? []), subpath])
    }
  }
  expect([...places].filter(([, found]) => found.length > 1)).toEqual([])
  expect(
    Object.keys(main)
      .filter((name) => !places.has(name))
      .sort(),
  ).toEqual(onlyInMain)
})
