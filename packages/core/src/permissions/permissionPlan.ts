import type { ActionClass } from '../caveats/execution/actionClass.ts'
import type { Method } from '../caveats/execution/methods.ts'

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
  | { readonly role: 'swapRouter02' | 'universalRouter' | 'permit2' | 'positionManager' | 'spawn' }
  /** Both symbols in alphabetical order. */
  | { readonly role: 'pool'; readonly assets: readonly [string, string] }
  | { readonly role: 'vault'; readonly asset: string }

/** An allowed swap, in one direction. */
export type PlanPair = { readonly from: string; readonly to: string }

/** A sentence of a strategy and its first line, counted from 1. */
export type Evidence = { readonly line: number; readonly sentence: string }

/** Why a part of a plan exists. Without evidence it is a default, which `permission` names. */
export type Reason = { readonly permission: string; readonly because: readonly Evidence[] }

/** Optional sections of the Cage that a plan can use. */
export type PlanSections = {
  /** Maximum share of the vault per execution, and an absolute maximum. */
  readonly vaultNav?: { readonly asset: string; readonly bps: number; readonly capCents: bigint }
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
    default:
      return target.role
  }
}

/** A unique key of a pair. */
export function pairKey({ from, to }: PlanPair): string {
  return `${from}→${to}`
}
