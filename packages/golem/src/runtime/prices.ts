import { type Asset, type ChainState, type Read, wordsIn } from '@bardo/core'
import { encodeFunctionData, parseAbi } from 'viem'

const feedAbi = parseAbi(['function latestRoundData() view'])
const par = 10n ** 8n

/** What to ask in order to price these assets. A token at par needs no question. */
export function priceReads(assets: Iterable<Asset>): readonly Read[] {
  return [...assets].filter((asset) => !isAtPar(asset)).map(feedRead)
}

/** Dollars for a whole token, with eight decimals, by the signed feed; undefined where it is silent, stale or absurd. */
export function priceOf(state: ChainState, asset: Asset): bigint | undefined {
  if (isAtPar(asset)) return par
  const [, answer = 0n, , updatedAt = 0n] = wordsIn(state, feedRead(asset), 5) ?? []
  const price = BigInt.asIntN(256, answer)
  const age = state.timestamp - updatedAt
  return price > 0n && age >= 0n && age <= BigInt(asset.maxAgeSeconds) ? price : undefined
}

/** Millionths of a dollar in a cent. */
export const microsPerCent = 10_000n

/** What an amount is worth, in millionths of a dollar, rounded down: as the Cage adds up a portfolio. */
export function microsOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  return (amount * price * 1_000_000n) / 10n ** BigInt(scale)
}

/** What an amount is worth, in cents, rounded down. */
export function centsOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  return (amount * price * 100n) / 10n ** BigInt(scale)
}

/** What an amount is worth, rounded up: against whoever spends it. */
export function centsUpOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  const unit = 10n ** BigInt(scale)
  return (amount * price * 100n + unit - 1n) / unit
}

/** How much of an asset so many cents buy, rounded down. */
export function amountOf(cents: bigint, price: bigint, { scale }: Asset): bigint {
  return (cents * 10n ** BigInt(scale)) / (price * 100n)
}

const isAtPar = ({ feed, maxAgeSeconds }: Asset) => maxAgeSeconds === 0 && BigInt(feed) === 0n

const feedRead = ({ feed }: Asset): Read => ({
  to: feed,
  data: encodeFunctionData({ abi: feedAbi, functionName: 'latestRoundData' }),
})
