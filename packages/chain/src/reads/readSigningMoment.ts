import {
  type AddressBook,
  type Asset,
  type Deployment,
  type PermissionPlan,
  priceOf,
  priceReads,
  type Read,
  type SigningMoment,
  wordsIn,
} from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, erc4626Abi, type PublicClient } from 'viem'
import { readState } from './readState.ts'

/** One whole unit of the native currency. */
const wholeNative = 10n ** 18n

/**
 * The portfolio of an account and the price of gas, at one block: what a plan's shares and its default gas are
 * measured by when the owner signs. An asset without a usable price counts as nothing.
 *
 * @example
 * const plan = settlePlan(compiled.plan, await readSigningMoment(chain, compiled.plan, account))
 */
export async function readSigningMoment(
  {
    client,
    deployment,
    book,
  }: { readonly client: PublicClient; readonly deployment: Deployment; readonly book: AddressBook },
  { assets: symbols, targets }: PermissionPlan,
  account: Address,
): Promise<SigningMoment> {
  const args = [account] as const
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args })
  const withdrawable = encodeFunctionData({ abi: erc4626Abi, functionName: 'maxWithdraw', args })
  const holdings = symbols.flatMap((symbol): { readonly asset: Asset; readonly reads: readonly Read[] }[] => {
    const asset = book.assets.get(symbol)
    if (!asset) return []
    const isUsed = targets.some((target) => target.role === 'vault' && target.asset === symbol)
    const vault = isUsed ? book.vaults.get(symbol) : undefined
    const reads = [{ to: asset.token, data: balance }, ...(vault ? [{ to: vault, data: withdrawable }] : [])]
    return [{ asset, reads }]
  })
  const { native } = book
  const priced = [...holdings.map(({ asset }) => asset), ...(native ? [native] : [])]
  const state = await readState(client, deployment, [
    ...holdings.flatMap(({ reads }) => reads),
    ...priceReads(priced),
  ])
  const cents = (amount: bigint, asset: Asset) => {
    const price = priceOf(state, asset)
    // A price has the feed's decimals, and the scale is their sum with the token's.
    return price === undefined ? 0n : (amount * price * 100n) / 10n ** BigInt(asset.scale)
  }
  const portfolioCents = holdings.reduce(
    (sum, { asset, reads }) =>
      sum + reads.reduce((held, read) => held + cents(wordsIn(state, read, 1)?.[0] ?? 0n, asset), 0n),
    0n,
  )
  const nativeCents = native && cents(wholeNative, native)
  return { portfolioCents, ...(nativeCents !== undefined && nativeCents > 0n && { nativeCents }) }
}
