import * as artifacts from '@bardo/contracts'
import { type ContractName, canonicalFramework, contractNames } from '@bardo/core'
import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  getCreate2Address,
  type Hex,
  stringToHex,
} from 'viem'
import { create2Factory } from './create2Factory.ts'

/** One of Bardo's contracts, and its address. */
export type PlannedContract = {
  readonly name: ContractName
  readonly address: Address
  readonly salt: Hex
  /** Creation code with the constructor arguments. */
  readonly initCode: Hex
  /** A third-party contract that must exist first. */
  readonly needs?: Address
}

const compiled = { ...artifacts }

const salt = stringToHex('Bardo', { size: 32 })

// How long a transfer of an identity is public before it can be executed.
const identityDelaySeconds = 2 * 86_400

type Constructor = Extract<
  (typeof artifacts)[ContractName]['abi'][number],
  { readonly type: 'constructor'; readonly inputs: readonly { readonly name: string }[] }
>
/** Constructor arguments, by the names of their parameters. */
type Parameter = Constructor['inputs'][number]['name']

export type PlanOptions = {
  /** The chain's ERC-8004 registry. Without one, the plan includes ours. */
  readonly identityRegistry?: Address | undefined
  /**
   * The only caller that the enforcers accept. Default: MetaMask's address of every chain. A devnet of
   * version 0.1 has another.
   */
  readonly delegationManager?: Address | undefined
}

/**
 * The contracts to deploy and their addresses, computed.
 *
 * @example
 * planDeployment().find(({ name }) => name === 'cageEnforcer')?.address
 */
export function planDeployment({
  identityRegistry,
  delegationManager = canonicalFramework.DelegationManager,
}: PlanOptions = {}): PlannedContract[] {
  const valueByName = {
    vitals_: addressOf(artifacts.golemVitals.bytecode),
    policyCage_: addressOf(artifacts.policyCage.bytecode),
    delegationManager_: delegationManager,
    registry_: identityRegistry ?? addressOf(artifacts.identityRegistry.bytecode),
    delay_: identityDelaySeconds,
  } satisfies Record<Parameter, Address | number>
  return contractNames
    .filter((name) => name !== 'identityRegistry' || !identityRegistry)
    .map((name) => {
      const { abi, bytecode } = compiled[name]
      const initCode = concat([bytecode, constructorArguments(abi, valueByName)])
      const needs = name === 'identityGuardian' && identityRegistry
      return { name, address: addressOf(initCode), salt, initCode, ...(needs && { needs }) }
    })
}

function constructorArguments(abi: Abi, valueByName: Readonly<Record<string, Address | number>>): Hex {
  const inputs = abi.find((item) => item.type === 'constructor')?.inputs ?? []
  return encodeAbiParameters(
    inputs,
    inputs.map(({ name = '' }) => valueByName[name]),
  )
}

function addressOf(bytecode: Hex): Address {
  return getCreate2Address({ from: create2Factory.address, salt, bytecode })
}
