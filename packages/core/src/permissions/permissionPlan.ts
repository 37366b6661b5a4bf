import type { Address } from 'viem'
import type { ActionClass } from '../caveats/execution/actionClass.ts'
import type { Method } from '../caveats/execution/methods.ts'
import type { Total } from '../caveats/measure/totals.ts'
import type { Mood } from '../caveats/measure/vitalSigns.ts'
import type { ConstitutionPlan } from './constitution.ts'

/** The capabilities that the strategy compiler can request. */
export type Capability =
  | 'Swap'
  | 'ProvideLiquidity'
  | 'VaultManagement'
  | 'Bridge'
  | 'SpawnReplicants'
  | 'LimitOrders'

/** A contract by its role; an address book maps it to an address. */
export type TargetRole =
  | { readonly role: 'swapRouter02' | 'universalRouter' | 'permit2' | 'positionManager' | 'sale' }
  /** Both symbols in alphabetical order. */
  | { readonly role: 'pool'; readonly assets: readonly [string, string] }
  | { readonly role: 'vault'; readonly asset: string }
  /** A publishing contract by its name. */
  | { readonly role: 'publish'; readonly name: string }

/** An allowed swap, in one direction. */
export type PlanPair = { readonly from: string; readonly to: string }

/** A sentence of a strategy and its first line, counted from 1. */
export type Evidence = { readonly line: number; readonly sentence: string }

/** Why a part of a plan exists. Without evidence it is a default, which `permission` names. */
export type Reason = { readonly permission: string; readonly because: readonly Evidence[] }

/** k of n keys that sign every execution. */
export type CoSignerPlan = {
  readonly threshold: number
  /** Addresses, or names of Golems of the same owner. */
  readonly members: readonly string[]
}

/** Optional sections of the Cage that a plan can use. */
export type PlanSections = {
  readonly coSigners?: CoSignerPlan
  /** Maximum share of the vault per execution, and an absolute maximum. */
  readonly vaultNav?: { readonly asset: string; readonly bps: number; readonly capCents: bigint }
  /** The constitution to enact and sign. A signed plan has only its hash, in the terms. */
  readonly constitution?: ConstitutionPlan
  /** These classes need this emotional state. */
  readonly mood?: { readonly bounds: Mood; readonly classes: readonly ActionClass[] }
  /** Maximum that leaves in longer periods, by ascending period; a period of 0 is the whole life. */
  readonly totals?: readonly Total[]
  /** Native currency that the session key may draw for gas in any 24 hours. */
  readonly gas?: PlanGas
  /** The minimum rate of every vault, as a share of its rate at signing. Default: 99 %. */
  readonly floorBps?: number
  /** The size of one action as a share of the portfolio. */
  readonly sizeShares?: SizeShares
  /** Knowledge sales, of which an author gets a share. */
  readonly sale?: { readonly author: Address; readonly bps: number }
}

/** The gas that a plan asks for. */
export type PlanGas = {
  readonly microEtherPerDay: bigint
  /**
   * Set if the strategy does not state it. It is not signed before `settlePlan` has lowered it to a share of the
   * daily limit.
   */
  readonly isDefault?: true
}

/** Shares of the portfolio, which the terms cannot hold: `settlePlan` turns them into dollars. */
export type SizeShares = {
  /** Basis points, by phase from Thriving to Terminal; undefined if no share limits the phase. */
  readonly bps: readonly (number | undefined)[]
  /** The portfolio when the plan was settled. Without it, the plan cannot be signed. */
  readonly portfolioCents?: bigint
}

/** The least authority that a strategy needs, in symbols and roles, without addresses. */
export type PermissionPlan = {
  readonly classes: readonly ActionClass[]
  readonly methods: readonly Method[]
  readonly assets: readonly string[]
  readonly pairs: readonly PlanPair[]
  readonly targets: readonly TargetRole[]
  /** Allowed payees: addresses as text. */
  readonly payees: readonly string[]
  /** Maximum that leaves in any 24 hours. */
  readonly dayCents: bigint
  /** Maximum cents per execution, by phase from Thriving to Terminal. */
  readonly sizeCents: readonly [bigint, bigint, bigint, bigint, bigint]
  readonly slippageBps: number
  readonly spreadBps: number
  /** Minimum seconds between two executions; 0 for no minimum. */
  readonly cadenceSeconds: number
  /** Maximum number of executions; 0 for no limit. */
  readonly calls: number
  /** Unix seconds, both inclusive. */
  readonly window: { readonly start: bigint; readonly end: bigint }
  readonly settlement: string | undefined
  readonly sections: PlanSections
  readonly reasons: readonly Reason[]
}

/** A unique key of a target, to compare and sort by. */
export function targetKey(target: TargetRole): string {
  switch (target.role) {
    case 'pool':
      return `pool ${target.assets.join('/')}`
    case 'vault':
      return `vault ${target.asset}`
    case 'publish':
      return `publishing contract ${target.name}`
    default:
      return target.role
  }
}

/** A unique key of a pair. */
export function pairKey({ from, to }: PlanPair): string {
  return `${from}→${to}`
}
