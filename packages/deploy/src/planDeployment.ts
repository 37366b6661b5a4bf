import {
  cadenceEnforcer,
  cageEnforcer,
  dailySpendLimitEnforcer,
  dreamModeEnforcer,
  emotionalStateEnforcer,
  golemPhaseEnforcer,
  golemVitals,
  identityGuardian,
  knowledgeRoyaltyEnforcer,
  maxSlippageEnforcer,
  mortalityTimeWindowEnforcer,
  identityRegistry as ownRegistry,
  policyCage,
  policyCageEnforcer,
  replicantBudgetEnforcer,
  thresholdEnforcer,
  vaultNAVEnforcer,
} from '@bardo/contracts'
import {
  type Address,
  concat,
  encodeAbiParameters,
  getCreate2Address,
  type Hex,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { create2Factory } from './create2Factory.ts'

/** A contract of Bardo's and where it goes. */
export type PlannedContract = {
  readonly name: ContractName
  readonly address: Address
  readonly salt: Hex
  /** Creation code with its constructor's arguments. */
  readonly initCode: Hex
  /** A contract of others' that has to be there first. */
  readonly needs?: Address
}

const salt = stringToHex('Bardo', { size: 32 })

// How long a transfer of an identity waits in public before it can be executed.
const identityDelaySeconds = 2 * 86_400

/** What constructors are told. Whoever is told nothing, or another of our contracts, has one address on every chain. */
const constructors = {
  nothing: () => '0x',
  vitals: ({ vitals }) => encodeAbiParameters(parseAbiParameters('address'), [vitals]),
  vitalsAndConstitutions: ({ vitals, constitutions }) =>
    encodeAbiParameters(parseAbiParameters('address, address'), [vitals, constitutions]),
  registryAndDelay: ({ registry }) =>
    encodeAbiParameters(parseAbiParameters('address, uint32'), [registry, identityDelaySeconds]),
} as const satisfies Record<string, (told: Told) => Hex>

type Told = Readonly<Record<'vitals' | 'constitutions' | 'registry', Address>>

/** Every contract that a chain has one of, and what its constructor is told. */
const blueprints = {
  golemVitals: [golemVitals, 'nothing'],
  policyCage: [policyCage, 'nothing'],
  identityRegistry: [ownRegistry, 'nothing'],
  identityGuardian: [identityGuardian, 'registryAndDelay'],
  cageEnforcer: [cageEnforcer, 'vitalsAndConstitutions'],
  golemPhaseEnforcer: [golemPhaseEnforcer, 'vitalsAndConstitutions'],
  mortalityTimeWindowEnforcer: [mortalityTimeWindowEnforcer, 'nothing'],
  dreamModeEnforcer: [dreamModeEnforcer, 'vitals'],
  vaultNAVEnforcer: [vaultNAVEnforcer, 'vitalsAndConstitutions'],
  replicantBudgetEnforcer: [replicantBudgetEnforcer, 'vitalsAndConstitutions'],
  maxSlippageEnforcer: [maxSlippageEnforcer, 'vitalsAndConstitutions'],
  dailySpendLimitEnforcer: [dailySpendLimitEnforcer, 'vitalsAndConstitutions'],
  emotionalStateEnforcer: [emotionalStateEnforcer, 'vitalsAndConstitutions'],
  knowledgeRoyaltyEnforcer: [knowledgeRoyaltyEnforcer, 'vitalsAndConstitutions'],
  policyCageEnforcer: [policyCageEnforcer, 'vitalsAndConstitutions'],
  cadenceEnforcer: [cadenceEnforcer, 'nothing'],
  thresholdEnforcer: [thresholdEnforcer, 'nothing'],
} as const satisfies Record<string, readonly [{ readonly bytecode: Hex }, keyof typeof constructors]>

export type ContractName = keyof typeof blueprints

/**
 * What is deployed and where, by computation alone.
 *
 * @param identityRegistry - the chain's ERC-8004 registry. Without one, ours is part of the plan.
 * @example
 * planDeployment().find(({ name }) => name === 'cageEnforcer')?.address
 */
export function planDeployment(identityRegistry?: Address): PlannedContract[] {
  const told: Told = {
    vitals: addressOf(golemVitals.bytecode),
    constitutions: addressOf(policyCage.bytecode),
    registry: identityRegistry ?? addressOf(ownRegistry.bytecode),
  }
  return (Object.keys(blueprints) as ContractName[])
    .filter((name) => name !== 'identityRegistry' || !identityRegistry)
    .map((name) => {
      const [{ bytecode }, isTold] = blueprints[name]
      const initCode = concat([bytecode, constructors[isTold](told)])
      const needs = isTold === 'registryAndDelay' && identityRegistry
      return { name, address: addressOf(initCode), salt, initCode, ...(needs && { needs }) }
    })
}

function addressOf(bytecode: Hex): Address {
  return getCreate2Address({ from: create2Factory.address, salt, bytecode })
}
