import { type Call, readState, swapCalls } from '@bardo/chain'
import { type Asset, BardoError, type ChainState } from '@bardo/core'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  isAddressEqual,
  toFunctionSelector,
} from 'viem'
import type { Action } from '../capability/action.ts'
import type { Intention } from '../strategies/strategy.ts'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { amountOf, centsUpOf, priceOf, priceReads } from './prices.ts'

const approveSelector = toFunctionSelector('approve(address,uint256)')

type Place = Pick<GolemParts, 'client' | 'deployment' | 'book' | 'settings'>

/** An intention as calls on the owner's account. */
export async function buildAction(place: Place, charter: Charter, intention: Intention): Promise<Action> {
  const { book, deployment, settings } = place
  const { account } = charter.terms.mandate
  const symbol = intention.is === 'swap' ? intention.from : intention.asset
  const asset = found(book.assets.get(symbol), symbol)
  const amount = amountOf(intention.cents, await priceNow(place, asset), asset)
  const calls = callsOf()
  const plain = calls.map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, data }))
  return { chainId: deployment.chainId, account, calls: plain }

  function callsOf(): readonly Call[] {
    if (intention.is === 'swap') {
      const router = found(book.contracts.swapRouter02, 'swapRouter02')
      const to = found(book.assets.get(intention.to), intention.to).token
      // The Cage measures what came in against the signed feeds and slippage: that is the minimum that counts.
      const bounds = { amountIn: amount, minimumOut: 1n, fee: settings.poolFee }
      return swapCalls({ router, account, from: asset.token, to, ...bounds })
    }
    const vault = found(book.vaults.get(symbol), `a vault for ${symbol}`)
    if (intention.is === 'withdraw') return [{ to: vault, data: withdraw(amount, account) }]
    return [
      { to: asset.token, data: approve(vault, amount) },
      { to: vault, data: deposit(amount, account) },
    ]
  }
}

/** What an action takes at most, in cents: what it approves. What only comes back to the owner takes nothing. */
export async function valueOfAction(place: Place, action: Action): Promise<bigint> {
  const assets = [...place.book.assets.values()]
  const state = await readPrices(place, assets)
  return approvalsIn(action).reduce((sum, { token, amount }) => {
    const asset = assets.find((candidate) => isAddressEqual(candidate.token, token))
    return asset ? sum + centsUpOf(amount, usable(priceOf(state, asset), token), asset) : sum
  }, 0n)
}

/** What an action lets others take, in its order. */
export function approvalsIn({ calls }: Action): { readonly token: Address; readonly amount: bigint }[] {
  return calls.flatMap(({ target, data }) => {
    if (!data.startsWith(approveSelector)) return []
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'approve' ? [{ token: target, amount: args[1] }] : []
  })
}

async function priceNow(place: Place, asset: Asset): Promise<bigint> {
  return usable(priceOf(await readPrices(place, [asset]), asset), asset.token)
}

function readPrices({ client, deployment }: Place, assets: readonly Asset[]): Promise<ChainState> {
  return readState(client, deployment, priceReads(assets))
}

const approve = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const deposit = (amount: bigint, account: Address) =>
  encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, account] })
const withdraw = (amount: bigint, account: Address) =>
  encodeFunctionData({ abi: erc4626Abi, functionName: 'withdraw', args: [amount, account, account] })

/** A price, or the refusal to act without one. */
export function usable(price: bigint | undefined, token: Address): bigint {
  if (price !== undefined) return price
  throw new BardoError('There is no usable price.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`the feed of ${token} is silent or stale`],
    remedy: 'Wait for the feed’s next round.',
  })
}

function found<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value
  throw new BardoError('The address book has no such entry.', { code: 'ADDRESS_UNKNOWN', details: [what] })
}
