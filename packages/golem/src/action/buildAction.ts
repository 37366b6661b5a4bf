import { readState, swapCalls } from '@bardo/chain'
import { type Asset, BardoError, type Call, type ChainState, priceOf, priceReads } from '@bardo/core'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  isAddressEqual,
  toFunctionSelector,
} from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { amountOf, centsUpOf } from '../snapshot/prices.ts'
import type { Intention } from '../strategy/strategy.ts'
import type { Action } from './action.ts'
import { buildLiquidity } from './buildLiquidity.ts'

const bps = 10_000
const approveSelector = toFunctionSelector('approve(address,uint256)')

type Context = Pick<GolemParts, 'client' | 'deployment' | 'settings'>

/** An action, and the most that it spends, at the prices that it was built with. */
export type BuiltAction = { readonly action: Action; readonly valueCents: bigint }

/** Turns an intention into calls on the owner's account, at the current prices. */
export async function buildAction(
  context: Context,
  permission: SignedPermission,
  intention: Intention,
): Promise<BuiltAction> {
  const { deployment, settings } = context
  const { book, terms } = permission
  const { account } = terms.mandate
  if (
    intention.type === 'addLiquidity' ||
    intention.type === 'removeLiquidity' ||
    intention.type === 'collect'
  )
    return buildLiquidity(context, permission, intention)
  const symbol = intention.type === 'swap' ? intention.from : intention.asset
  const asset = required(book.assets.get(symbol), symbol)
  const bought = intention.type === 'swap' ? required(book.assets.get(intention.to), intention.to) : undefined
  const state = await readPrices(context, bought ? [asset, bought] : [asset])
  const priceNow = (of: Asset) => usable(priceOf(state, of), of.token)
  const amount = amountOf(intention.cents, priceNow(asset), asset)
  const plain = callsOf().map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, data }))
  const action: Action = { chainId: deployment.chainId, account, calls: plain }
  return { action, valueCents: approvedCents(action) }

  function callsOf(): readonly Call[] {
    if (bought) {
      const router = required(book.contracts.swapRouter02, 'swapRouter02')
      const minimumOut = leastOut(bought)
      const bounds = { amountIn: amount, minimumOut, fee: settings.poolFee }
      return swapCalls({ router, account, from: asset.token, to: bought.token, ...bounds })
    }
    const vault = required(book.vaults.get(symbol), `a vault for ${symbol}`)
    if (intention.type === 'withdraw') return [{ to: vault, data: withdraw(amount, account) }]
    return [
      { to: asset.token, data: approve(vault, amount) },
      { to: vault, data: deposit(amount, account) },
    ]
  }

  /**
   * The value of the approvals in the action. An action without an approval only returns assets to the owner,
   * and spends nothing.
   */
  function approvedCents(action: Action): bigint {
    return approvedCentsOf(action, [asset], priceNow)
  }

  /**
   * The output by the price feeds, less the signed slippage. The router reverts below it, so a manipulated
   * pool price costs at most the slippage.
   */
  function leastOut(to: Asset): bigint {
    const fair =
      (amount * priceNow(asset) * 10n ** BigInt(to.scale)) / (priceNow(to) * 10n ** BigInt(asset.scale))
    const least = (fair * BigInt(bps - terms.slippageBps) + BigInt(bps - 1)) / BigInt(bps)
    return least > 0n ? least : 1n
  }
}

/** The value of the approvals of some assets in an action, rounded up. */
export function approvedCentsOf(
  action: Action,
  assets: readonly Asset[],
  priceOfAsset: (asset: Asset) => bigint,
): bigint {
  return approvalsIn(action).reduce((sum, { token, amount }) => {
    const asset = assets.find((one) => isAddressEqual(one.token, token))
    return asset ? sum + centsUpOf(amount, priceOfAsset(asset), asset) : sum
  }, 0n)
}

/** The token approvals in an action, in the order of its calls. */
export function approvalsIn({ calls }: Action): { readonly token: Address; readonly amount: bigint }[] {
  return calls.flatMap(({ target, data }) => {
    if (!data.startsWith(approveSelector)) return []
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'approve' ? [{ token: target, amount: args[1] }] : []
  })
}

/** Reads the prices of assets. */
export function readPrices(
  { client, deployment }: Pick<Context, 'client' | 'deployment'>,
  assets: readonly Asset[],
): Promise<ChainState> {
  return readState(client, deployment, priceReads(assets))
}

const approve = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const deposit = (amount: bigint, account: Address) =>
  encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, account] })
const withdraw = (amount: bigint, account: Address) =>
  encodeFunctionData({ abi: erc4626Abi, functionName: 'withdraw', args: [amount, account, account] })

/** Returns the price, or throws: without a price the Golem does not act. */
export function usable(price: bigint | undefined, token: Address): bigint {
  if (price !== undefined) return price
  throw new BardoError('The price feed has no usable price.', {
    code: 'PRICE_UNUSABLE',
    details: [`the price feed of ${token} does not answer or is stale`],
    remedy: 'Try again after the price feed’s next round.',
  })
}

/** Returns an entry of the signed addresses, or throws. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value
  throw new BardoError('The address book does not have this entry.', {
    code: 'ADDRESS_UNKNOWN',
    details: [what],
  })
}
