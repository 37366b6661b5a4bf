import type { Address } from 'viem'
import type { ChainState, HookContext, RulesVersion } from '../caveatKind.ts'
import { dependencyOf } from '../verdict/dependencies.ts'
import { refuse } from '../verdict/refuse.ts'
import { plainAddress } from './digits.ts'

/** An approval that must be zero again when the execution ends. */
export type Approval = { readonly spender: Address; readonly asset: number; readonly inPermit2: boolean }

/** What an execution will do, as far as its calldata shows. */
export type Plan = {
  classes: number
  methods: number
  /** Bit 8 × from + to for every swap, by the assets' indexes. */
  pairs: bigint
  /** Maximum of an asset that may leave by calldata. */
  readonly maxAmount: bigint
  /** Per asset: the amount that leaves by calldata. */
  readonly out: bigint[]
  /** Bits of the assets whose inflow counts: those that a swap buys. */
  outputs: number
  /** Per asset: the part that goes to the author. */
  readonly royalty: bigint[]
  readonly approvals: Approval[]
  /** The pool that liquidity is added to. */
  pool: Address | undefined
  /** The vault that the account withdraws from. */
  vault: Address | undefined
}

/** The context in which a plan is built. */
export type Planning = {
  /** Chain state for reads about vaults, pools and positions. */
  readonly chain: ChainState
  readonly rules: RulesVersion | undefined
  readonly account: Address
  /** Index of the asset that unwinding swaps into. */
  readonly settlement: number
  readonly author: Address | undefined
  /** The address that may draw native currency for gas; undefined if the owner did not sign a gas cap. */
  readonly gasTo: Address | undefined
  /** Whether no session may call this contract, whatever was signed. */
  isForbidden(target: Address): boolean
}

const maxApprovals = 8
const entryPoint: Address = '0x0000000071727de22e5e9d8baf0edac6f37da032'
const zero: Address = `0x${'0'.repeat(40)}`

export function emptyPlan(rules: RulesVersion | undefined): Plan {
  return {
    classes: 0,
    methods: 0,
    pairs: 0n,
    // Version 2 reserves one bit of the stored word for the output mark.
    maxAmount: rules === 1 ? 2n ** 128n - 1n : 2n ** 127n - 1n,
    outputs: 0,
    out: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    royalty: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    approvals: [],
    pool: undefined,
    vault: undefined,
  }
}

/** Books an amount that leaves by calldata. */
export function leaves(plan: Plan, asset: number, amount: bigint): void {
  const sum = (plan.out[asset] ?? 0n) + amount
  if (amount > plan.maxAmount || sum > plan.maxAmount) refuse('AmountNotSupported', amount)
  plan.out[asset] = sum
}

/** Books a payment, and its royalty part if it goes to the author. */
export function pays(plan: Plan, { author }: Planning, asset: number, payee: Address, amount: bigint): void {
  leaves(plan, asset, amount)
  if (author === payee) plan.royalty[asset] = (plan.royalty[asset] ?? 0n) + amount
}

export function mustBeGone(plan: Plan, approval: Approval): void {
  if (plan.approvals.length === maxApprovals) refuse('TooManyApprovals', BigInt(maxApprovals))
  plan.approvals.push(approval)
}

/**
 * Never a target: the account itself, the manager that can re-enable delegations, and the contracts that
 * enforce.
 */
export function forbiddenTargets(
  context: Pick<HookContext, 'enforcer' | 'manager' | 'rules'>,
  chain: ChainState,
  account: Address,
): (target: Address) => boolean {
  const fixed = [account, plainAddress(context.manager), plainAddress(context.enforcer), entryPoint]
  let [vitals, policyCage]: (Address | undefined)[] = []
  return (target) => {
    if (fixed.includes(target)) return true
    vitals ??= dependencyOf(context, chain, 'vitals')
    if (vitals === target) return true
    policyCage ??= dependencyOf(context, chain, 'policyCage')
    return policyCage === target
  }
}

/** The same without Bardo's oracles: the royalty check after a sale uses zero in their place. */
export function forbiddenTargetsAfterwards(
  context: Pick<HookContext, 'enforcer' | 'manager'>,
  account: Address,
): (target: Address) => boolean {
  const fixed = [account, plainAddress(context.manager), plainAddress(context.enforcer), entryPoint, zero]
  return (target) => fixed.includes(target)
}
