import * as contracts from '@bardo/contracts'
import { expect, it } from 'vitest'
import { bardoCaveats } from '../bardoCaveats.ts'
import { refusalTypes } from './refusalTypes.ts'

it('knows every error of every enforcer, with the types of its arguments', () => {
  const names = Object.keys(bardoCaveats).map((kind) => `${kind}Enforcer`)
  const enforcers = Object.entries(contracts)
    .filter(([name]) => names.includes(name))
    .map(([, { abi }]) => abi as readonly AbiEntry[])
  const errors = enforcers.flat().filter(({ type }) => type === 'error')
  const declared = errors.map(({ name = '', inputs = [] }) => [name, inputs.map(({ type }) => type)] as const)
  for (const [name, types] of declared) expect([name, refusalTypes[name as never]]).toEqual([name, types])
  expect(declared.length).toBeGreaterThan(100)
})

type AbiEntry = {
  readonly type: string
  readonly name?: string
  readonly inputs?: readonly { readonly type: string }[]
}
