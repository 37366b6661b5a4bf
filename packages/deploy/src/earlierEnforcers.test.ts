import { golemVitals, policyCage } from '@bardo/contracts'
import * as version1 from '@bardo/contracts/earlier/version1'
import { earlierEnforcers } from '@bardo/core'
import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  getCreate2Address,
  type Hex,
  stringToHex,
} from 'viem'
import { expect, it } from 'vitest'
import { create2Factory } from './create2Factory.ts'
import { planDeployment } from './planDeployment.ts'

const addressOf = (bytecode: Hex): Address =>
  getCreate2Address({ from: create2Factory.address, salt: stringToHex('Bardo', { size: 32 }), bytecode })
const constructorValues = [addressOf(golemVitals.bytecode), addressOf(policyCage.bytecode)]

it.each(Object.entries<{ abi: Abi; bytecode: Hex }>(version1))(
  'computes the frozen address of %s from its frozen bytecode',
  (name, { abi, bytecode }) => {
    const inputs = abi.find((item) => item.type === 'constructor')?.inputs ?? []
    const address = addressOf(
      concat([bytecode, encodeAbiParameters(inputs, constructorValues.slice(0, inputs.length))]),
    )
    expect(earlierEnforcers).toHaveProperty(name, address)
  },
)

it('lists every frozen enforcer', () => {
  expect(Object.keys(earlierEnforcers).toSorted()).toEqual(Object.keys(version1).toSorted())
})

it('contains no current contract', () => {
  const today = new Set<string>(planDeployment().map(({ address }) => address))
  expect(Object.values(earlierEnforcers).filter((address) => today.has(address))).toEqual([])
})
