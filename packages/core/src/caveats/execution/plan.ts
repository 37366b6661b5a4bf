import type { Address } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { askOwn } from '../verdict/ask.ts'
import { questions } from '../verdict/questions.ts'
import { refuse } from '../verdict/refuse.ts'
import { addressInWord, plainAddress } from './digits.ts'

/** An approval that must be gone when the execution is over. */
export type Approval = { readonly spender: Address; readonly asset: number; readonly inPermit2: boolean }

/** What an execution is about to do, as far as its calldata says. */
export type Plan = {
  classes: number
  methods: number
  /** Bit 8 × from + to for every swap, by the assets' places. */
  pairs: bigint
  /** Per asset: what leaves by calldata. */
  readonly out: bigint[]
  /** Per asset: what of it goes to the author. */
  readonly royalty: bigint[]
  readonly approvals: Approval[]
  /** The pool that liquidity goes into. */
  pool: Address | undefined
}

/** What a plan is made under. */
export type Planning = {
  /** The chain that is asked about vaults, pools and positions. */
  readonly chain: ChainState
  readonly account: Address
  /** The place of the asset that unwinding goes into. */
  readonly settlement: number
  readonly author: Address | undefined
  /** Whether no session may ever call this contract, whatever was signed. */
  isForbidden(target: Address): boolean
}

const maxAmount = 2n ** 128n - 1n
const maxApprovals = 8
const entryPoint: Address = '0x0000000071727de22e5e9d8baf0edac6f37da032'
const zero: Address = `0x${'0'.repeat(40)}`

export function emptyPlan(): Plan {
  return {
    classes: 0,
    methods: 0,
    pairs: 0n,
    out: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    royalty: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    approvals: [],
    pool: undefined,
  }
}

/** Books an amount that leaves by calldata. */
export function leaves(plan: Plan, asset: number, amount: bigint): void {
  const sum = (plan.out[asset] ?? 0n) + amount
  if (amount > maxAmount || sum > maxAmount) refuse('AmountNotSupported', amount)
  plan.out[asset] = sum
}

/** Books a payment, and that it goes to the author where it does. */
export function pays(plan: Plan, { author }: Planning, asset: number, payee: Address, amount: bigint): void {
  leaves(plan, asset, amount)
  if (author === payee) plan.royalty[asset] = (plan.royalty[asset] ?? 0n) + amount
}

export function mustBeGone(plan: Plan, approval: Approval): void {
  if (plan.approvals.length === maxApprovals) refuse('TooManyApprovals', BigInt(maxApprovals))
  plan.approvals.push(approval)
}

/** Never a target: the account's own levers, the manager that undoes revocations, and what judges us. */
export function forbiddenTargets(
  context: Pick<HookContext, 'enforcer' | 'manager'>,
  chain: ChainState,
  account: Address,
): (target: Address) => boolean {
  const fixed = [account, plainAddress(context.manager), plainAddress(context.enforcer), entryPoint]
  let [vitals, policyCage]: (Address | undefined)[] = []
  return (target) => {
    if (fixed.includes(target)) return true
    vitals ??= ownAddress(context, chain, questions.vitals)
    if (vitals === target) return true
    policyCage ??= ownAddress(context, chain, questions.policyCage)
    return policyCage === target
  }
}

/** The same without Bardo's oracles, as a royalty is looked at once more afterwards: there their places hold zero. */
export function forbiddenTargetsAfterwards(
  context: Pick<HookContext, 'enforcer' | 'manager'>,
  account: Address,
): (target: Address) => boolean {
  const fixed = [account, plainAddress(context.manager), plainAddress(context.enforcer), entryPoint, zero]
  return (target) => fixed.includes(target)
}

/** Where the enforcer's vitals, or its constitutions, are. */
export function ownAddress(
  { enforcer }: Pick<HookContext, 'enforcer'>,
  chain: ChainState,
  ask: (typeof questions)['vitals'],
): Address {
  const [word = 0n] = askOwn(chain, ask(plainAddress(enforcer)), 1)
  return addressInWord(word)
}
