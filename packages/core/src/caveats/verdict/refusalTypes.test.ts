import * as current from '@bardo/contracts'
import * as version1 from '@bardo/contracts/earlier/version1'
import { expect, it } from 'vitest'
import { bardoCaveats } from '../bardoCaveats.ts'
import { type RefusalName, refusalTypes } from './refusalTypes.ts'

const names = Object.keys(bardoCaveats).map((kind) => `${kind}Enforcer`)

it.each([
  ['version 2', current],
  ['version 1', version1],
])('knows every error of every enforcer of %s, with the types of its arguments', (_, contracts) => {
  const declared = errorsOf(contracts)
  for (const [name, types] of declared)
    expect([name, refusalTypes[name as RefusalName]]).toEqual([name, types])
  expect(declared.length).toBeGreaterThan(100)
})

it('lists no error that neither version has, except Solidity’s panic', () => {
  // Enforcers pass on the reverts of the constitution contract.
  const constitutions = errorsOf({ cageEnforcer: current.policyCage })
  const all = [...errorsOf(current), ...errorsOf(version1), ...constitutions]
  const declared = new Set(all.map(([name]) => name))
  expect(Object.keys(refusalTypes).filter((name) => !declared.has(name))).toEqual(['Panic'])
})

function errorsOf(contracts: Readonly<Record<string, { readonly abi: readonly unknown[] }>>) {
  const enforcers = Object.entries(contracts).filter(([name]) => names.includes(name))
  const errors = enforcers.flatMap(([, { abi }]) => (abi as readonly AbiEntry[]).filter(isError))
  return errors.map(({ name = '', inputs = [] }) => [name, inputs.map(({ type }) => type)] as const)
}

function isError({ type }: AbiEntry): boolean {
  return type === 'error'
}

type AbiEntry = {
  readonly type: string
  readonly name?: string
  readonly inputs?: readonly { readonly type: string }[]
}
