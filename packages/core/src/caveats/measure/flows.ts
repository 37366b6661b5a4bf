import { type Address, type Hex, zeroAddress } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { permit2Address, planOf } from '../execution/actions.ts'
import { addressWord } from '../execution/digits.ts'
import { type Approval, forbiddenTargets, type Plan } from '../execution/plan.ts'
import { assetOf, type Mandate } from '../terms/mandate.ts'
import { balanceRead, questions } from '../verdict/questions.ts'
import { refuse, refuseAs } from '../verdict/refuse.ts'
import { askWord, callWords } from '../verdict/staticRead.ts'
import { requireRoom } from './frames.ts'
import { microsOf, microsUp, quoteOf } from './prices.ts'
import { larger } from './vaultNav.ts'

/** An execution that passed its checks, with the balances before it. */
export type Opened = { readonly plan: Plan; readonly balances: readonly bigint[] }

/** What an execution moved, in millionths of a dollar. */
export type Flows = {
  readonly outMicros: bigint
  readonly inMicros: bigint
  /** Indexes of the assets that left, or that a swap brought in. */
  readonly moved: readonly number[]
}

/** Celo, and the token contract of its native currency. */
export const celo = {
  chainId: 42_220,
  token: '0x471ece3750da237f93b8e339c536989b8978a438',
} as const

const maxBalance = 2n ** 128n - 1n

/**
 * The plan of an execution, as every enforcer with a mandate builds it before the execution.
 *
 * @param gasTo - the address that may draw gas, if the owner signed a gas cap
 */
export function planBefore(
  context: HookContext,
  chain: ChainState,
  mandate: Mandate,
  settlement: number,
  gasTo?: Address,
): Plan {
  const { account } = mandate
  const { rules } = context
  const isForbidden = forbiddenTargets(context, chain, account)
  return planOf(context.execution, mandate, {
    chain,
    rules,
    account,
    settlement,
    author: undefined,
    gasTo,
    isForbidden,
  })
}

/** Checks that no other frame conflicts, and records all balances before the execution. */
export function open(
  context: HookContext,
  chain: ChainState,
  lineage: Hex,
  mandate: Mandate,
  plan: Plan,
): Opened {
  requireRoom(context, mandate, lineage)
  const balances = mandate.assets.map(({ token }, place) => {
    if (assetOf(mandate, token) !== place) refuse('AssetTwice', token)
    if (context.rules !== 1 && token === zeroAddress) requireNoTwin(context.chainId, mandate)
    return balanceOf(chain, token, mandate.account)
  })
  return { plan, balances }
}

/** On Celo the native currency is also a token: two addresses of one balance would count it twice. */
function requireNoTwin(chainId: number, mandate: Mandate): void {
  if (chainId === celo.chainId && assetOf(mandate, celo.token) !== -1) refuse('AssetTwice', celo.token)
}

/**
 * Checks that approvals are cleared, and measures. The outflow is the larger of calldata and balance
 * difference.
 */
export function close(chain: ChainState, mandate: Mandate, { plan, balances }: Opened): Flows {
  for (const approval of plan.approvals) requireGone(chain, mandate, approval)
  let [outMicros, inMicros] = [0n, 0n]
  const moved: number[] = []
  for (const [place, asset] of mandate.assets.entries()) {
    const before = balances[place] ?? 0n
    const now = balanceOf(chain, asset.token, mandate.account)
    const said = plan.out[place] ?? 0n
    const left = larger(before - now, said)
    // Only what a swap brings in is priced: a feed that is down must not block closing positions.
    const came = now > before && ((plan.outputs >> place) & 1) === 1 ? now - before : 0n
    if (left === 0n && came === 0n) continue
    moved.push(place)
    const quote = quoteOf(chain, asset)
    outMicros += microsUp(left, quote)
    inMicros += microsOf(came, quote)
  }
  return { outMicros, inMicros, moved }
}

/** The account's balance; refuses a balance above 128 bits. */
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

/** The remaining allowance inside Permit2. */
export function permit2Read(account: Address, token: Address, spender: Address) {
  return questions.permit2Allowance(
    permit2Address,
    addressWord(account),
    addressWord(token),
    addressWord(spender),
  )
}
