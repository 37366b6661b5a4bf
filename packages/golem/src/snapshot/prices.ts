import { type Asset, type ChainState, type Read, wordsIn } from '@bardo/core'
import { encodeFunctionData, parseAbi } from 'viem'

const feedAbi = parseAbi(['function latestRoundData() view'])
const par = 10n ** 8n

/** The reads that price these assets. A token at par needs none. */
export function priceReads(assets: Iterable<Asset>): readonly Read[] {
  return [...assets].filter((asset) => !isAtPar(asset)).map(feedRead)
}

/**
 * The price of a whole token in dollars, with eight decimals, by the signed price feed. Undefined if the
 * price feed does not answer, is stale, or returns a price that is not positive.
 */
export function priceOf(state: ChainState, asset: Asset): bigint | undefined {
  if (isAtPar(asset)) return par
  const [, answer = 0n, , updatedAt = 0n] = wordsIn(state, feedRead(asset), 5) ?? []
  const price = BigInt.asIntN(256, answer)
  const age = state.timestamp - updatedAt
  return price > 0n && age >= 0n && age <= BigInt(asset.maxAgeSeconds) ? price : undefined
}

/** Millionths of a dollar in a cent. */
export const microsPerCent = 10_000n

/** The value of an amount in millionths of a dollar, rounded down, as the Cage adds up a portfolio. */
export function microsOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  return (amount * price * 1_000_000n) / 10n ** BigInt(scale)
}

/** The value of an amount in cents, rounded down. */
export function centsOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  return (amount * price * 100n) / 10n ** BigInt(scale)
}

/** The value of an amount in cents, rounded up: against the spender. */
export function centsUpOf(amount: bigint, price: bigint, { scale }: Asset): bigint {
  const unit = 10n ** BigInt(scale)
  return (amount * price * 100n + unit - 1n) / unit
}

/** The amount of an asset that `cents` buy, rounded down. */
export function amountOf(cents: bigint, price: bigint, { scale }: Asset): bigint {
  return (cents * 10n ** BigInt(scale)) / (price * 100n)
}

const isAtPar = ({ feed, maxAgeSeconds }: Asset) => maxAgeSeconds === 0 && BigInt(feed) === 0n

const feedRead = ({ feed }: Asset): Read => ({
  to: feed,
  data: encodeFunctionData({ abi: feedAbi, functionName: 'latestRoundData' }),
})
