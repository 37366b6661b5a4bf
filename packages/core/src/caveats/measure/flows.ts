import type { Address, Hex } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { swapClasses } from '../execution/actionClass.ts'
import { permit2Address, planOf } from '../execution/actions.ts'
import { addressWord } from '../execution/digits.ts'
import { type Approval, forbiddenTargets, type Plan } from '../execution/plan.ts'
import type { Mandate } from '../terms/mandate.ts'
import { askWord, callWords } from '../verdict/ask.ts'
import { balanceRead, questions } from '../verdict/questions.ts'
import { refuse, refuseAs } from '../verdict/refuse.ts'
import { requireRoom } from './frames.ts'
import { microsOf, microsUp, quoteOf } from './prices.ts'
import { larger } from './vaultNav.ts'

/** An execution that was judged and whose balances were noted. */
export type Opened = { readonly plan: Plan; readonly balances: readonly bigint[] }

/** What an execution moved, in millionths of a dollar. */
export type Flows = {
  readonly outMicros: bigint
  readonly inMicros: bigint
  /** The places of assets that left, or that a swap brought. */
  readonly moved: readonly number[]
}

const maxBalance = 2n ** 128n - 1n

/** The plan of an execution, as every enforcer with a mandate makes it before anything moves. */
export function planBefore(
  context: HookContext,
  chain: ChainState,
  mandate: Mandate,
  settlement: number,
): Plan {
  const { account } = mandate
  const isForbidden = forbiddenTargets(context, chain, account)
  return planOf(context.execution, mandate, { chain, account, settlement, author: undefined, isForbidden })
}

/** Sees that nothing is in the way, and notes all balances before the execution. */
export function open(
  context: HookContext,
  chain: ChainState,
  lineage: Hex,
  mandate: Mandate,
  plan: Plan,
): Opened {
  requireRoom(context, mandate, lineage)
  const balances = mandate.assets.map(({ token }, place) => {
    if (mandate.assets.findIndex((asset) => asset.token === token) !== place) refuse('AssetTwice', token)
    return balanceOf(chain, token, mandate.account)
  })
  return { plan, balances }
}

/** Sees that approvals are gone, and measures. What left is the larger of what was said and what is missing. */
export function close(chain: ChainState, mandate: Mandate, { plan, balances }: Opened): Flows {
  for (const approval of plan.approvals) requireGone(chain, mandate, approval)
  let [outMicros, inMicros] = [0n, 0n]
  const moved: number[] = []
  for (const [place, asset] of mandate.assets.entries()) {
    const before = balances[place] ?? 0n
    const now = balanceOf(chain, asset.token, mandate.account)
    const said = plan.out[place] ?? 0n
    const left = larger(before - now, said)
    // What comes in is worth something to a swap only: a feed that is down must not keep positions from closing.
    const came = now > before && (plan.classes & swapClasses) !== 0 ? now - before : 0n
    if (left === 0n && came === 0n) continue
    moved.push(place)
    const quote = quoteOf(chain, asset)
    outMicros += microsUp(left, quote)
    inMicros += microsOf(came, quote)
  }
  return { outMicros, inMicros, moved }
}

/** How much the account holds; refuses what does not fit into 128 bits. */
export function balanceOf(chain: ChainState, token: Address, account: Address): bigint {
  const balance = askWord(chain, balanceRead(token, account))
  return balance > maxBalance ? refuse('BalanceNotSupported', token, balance) : balance
}

function requireGone(
  chain: ChainState,
  { account, assets }: Mandate,
  { spender, asset, inPermit2 }: Approval,
): void {
  const token = assets[asset]?.token
  if (!token) return
  const left = inPermit2
    ? permit2Allowance(chain, account, token, spender)
    : askWord(chain, questions.allowance(token, addressWord(account), addressWord(spender)))
  if (left !== 0n) refuse('ApprovalLeft', token, spender, left)
}

function permit2Allowance(chain: ChainState, account: Address, token: Address, spender: Address): bigint {
  const [left = 0n, expiration = 0n, nonce = 0n] = callWords(chain, permit2Read(account, token, spender), 3)
  if (left >> 160n !== 0n || expiration >> 48n !== 0n || nonce >> 48n !== 0n) refuseAs('0x')
  return left
}

/** What is left of an allowance inside Permit2. */
export function permit2Read(account: Address, token: Address, spender: Address) {
  return questions.permit2Allowance(
    permit2Address,
    addressWord(account),
    addressWord(token),
    addressWord(spender),
  )
}
