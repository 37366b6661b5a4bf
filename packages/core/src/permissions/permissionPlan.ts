import type { ActionClass } from '../caveats/execution/actionClass.ts'
import type { Method } from '../caveats/execution/methods.ts'

/** What an owner may be asked for, as the strategy compiler knows it. */
export type Capability =
  | 'Swap'
  | 'ProvideLiquidity'
  | 'VaultManagement'
  | 'Bridge'
  | 'SpawnReplicants'
  | 'LimitOrders'

/** A contract by what it is for; an address book says where it stands. */
export type TargetRole =
  | { readonly role: 'swapRouter02' | 'universalRouter' | 'permit2' | 'positionManager' | 'spawn' }
  /** Both symbols in alphabetical order. */
  | { readonly role: 'pool'; readonly assets: readonly [string, string] }
  | { readonly role: 'vault'; readonly asset: string }

/** A swap that is allowed, one way. */
export type PlanPair = { readonly from: string; readonly to: string }

/** A sentence of a strategy and the line it begins on, counted from 1. */
export type Evidence = { readonly line: number; readonly sentence: string }

/** Why a part of a plan is there. Without evidence it is a default, which `permission` names. */
export type Reason = { readonly permission: string; readonly because: readonly Evidence[] }

/** Optional parts of the Cage that a plan can ask for. */
export type PlanSections = {
  /** One execution takes at most this share of the vault, and at most this much. */
  readonly vaultNav?: { readonly asset: string; readonly bps: number; readonly capCents: bigint }
}

/** The least authority that a strategy needs: symbols and roles, no addresses. */
export type PermissionPlan = {
  readonly classes: readonly ActionClass[]
  readonly methods: readonly Method[]
  readonly assets: readonly string[]
  readonly pairs: readonly PlanPair[]
  readonly targets: readonly TargetRole[]
  /** Who may be paid: addresses as text. */
  readonly payees: readonly string[]
  /** Most that leaves in any 24 hours. */
  readonly dayCents: bigint
  /** Most cents in one execution, by phase from Thriving to Terminal. */
  readonly sizeCents: readonly [bigint, bigint, bigint, bigint, bigint]
  readonly slippageBps: number
  readonly spreadBps: number
  /** Least seconds between two executions; 0 for no such bound. */
  readonly cadenceSeconds: number
  /** Most executions ever; 0 for no such bound. */
  readonly calls: number
  /** Unix seconds, both inclusive. */
  readonly window: { readonly start: bigint; readonly end: bigint }
  readonly settlement: string | undefined
  readonly sections: PlanSections
  readonly reasons: readonly Reason[]
}

/** One text for one target, to compare and sort by. */
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

/** One text for one pair. */
export function pairKey({ from, to }: PlanPair): string {
  return `${from}→${to}`
}
