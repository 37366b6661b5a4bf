import * as contracts from '@bardo/contracts'
import { expect, it } from 'vitest'
import { bardoCaveats } from './bardoCaveats.ts'

const kinds = Object.entries(bardoCaveats)

it.each(kinds)('%s has its enforcer and the same name', (key, kind) => {
  expect(Object.keys(contracts)).toContain(`${key}Enforcer`)
  expect(`${kind.name.slice(0, 1).toLowerCase()}${kind.name.slice(1)}`).toBe(key)
})

it('lists every deployed enforcer', () => {
  const enforcers = Object.keys(contracts).filter((name) => name.endsWith('Enforcer'))
  expect(kinds.map(([key]) => `${key}Enforcer`).sort()).toEqual(enforcers.sort())
})
