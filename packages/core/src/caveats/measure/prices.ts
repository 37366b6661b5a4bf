import { type Address, zeroAddress } from 'viem'
import type { ChainState, Read } from '../caveatKind.ts'
import type { Asset } from '../terms/mandate.ts'
import { feedRead } from '../verdict/questions.ts'
import { overflow, refuse } from '../verdict/refuse.ts'
import { askWords } from '../verdict/staticRead.ts'
import { wordsIn } from './used.ts'

/** A price and its divisor: amount × price / `unit` is dollars. */
export type Quote = { readonly price: bigint; readonly unit: bigint }

/** Millionths of a dollar in a cent. */
export const microsPerCent = 10_000n
const par = 10n ** 8n
const maxPrice = 2n ** 88n - 1n
const maxScale = 48
const units = Array.from({ length: maxScale + 1 }, (_, scale) => 10n ** BigInt(scale))
const sequencerGraceSeconds = 3_600n
const maxWord = 2n ** 256n - 1n

/** Whether the owner declares that one token is one dollar. */
export function isAtPar({ feed, maxAgeSeconds }: Asset): boolean {
  return maxAgeSeconds === 0 && feed === zeroAddress
}

/** The price of an asset by its feed. */
export function quoteOf(chain: ChainState, asset: Asset): Quote {
  if (asset.scale > maxScale) refuse('PriceNotSupported', 0n, BigInt(asset.scale))
  return { price: isAtPar(asset) ? par : priceFrom(chain, asset), unit: units[asset.scale] ?? 1n }
}

function priceFrom(chain: ChainState, { feed, maxAgeSeconds, scale }: Asset): bigint {
  const { answer, updatedAt } = latestRound(chain, feed)
  if (answer <= 0n) refuse('FeedNotPositive', feed, answer)
  if (answer > maxPrice) refuse('PriceNotSupported', answer, BigInt(scale))
  const age = chain.timestamp - updatedAt
  // A timestamp in the future would underflow the age check.
  if (age < 0n || age > BigInt(maxAgeSeconds)) refuse('FeedStale', feed, updatedAt, BigInt(maxAgeSeconds))
  return answer
}

/** Whether a feed returns a valid price now. */
export function isPriced(chain: ChainState, asset: Asset): boolean {
  return isAtPar(asset) || priceIn(askWords(chain, feedRead(asset.feed), 5), asset, chain) !== undefined
}

/**
 * The reads that price these assets. A token at par needs none.
 *
 * @example
 * const state = await readState(client, deployment, priceReads(mandate.assets))
 */
export function priceReads(assets: Iterable<Asset>): readonly Read[] {
  return [...assets].filter((asset) => !isAtPar(asset)).map(({ feed }) => feedRead(feed))
}

/**
 * The price of a whole token in dollars, with eight decimals, by the signed price feed. Undefined if the
 * price feed was not read, does not answer, is stale, or returns a price that the enforcers refuse.
 *
 * @example
 * const price = priceOf(await readState(client, deployment, priceReads([weth])), weth)
 */
export function priceOf(state: ChainState, asset: Asset): bigint | undefined {
  return isAtPar(asset) ? par : priceIn(wordsIn(state, feedRead(asset.feed), 5), asset, state)
}

/** The valid price in the words of a feed's latest round. */
function priceIn(
  [, says = 0n, , updatedAt = 0n]: readonly bigint[] = [],
  { maxAgeSeconds }: Asset,
  { timestamp }: ChainState,
): bigint | undefined {
  const answer = BigInt.asIntN(256, says)
  const age = timestamp - updatedAt
  const isValid = answer > 0n && answer <= maxPrice && age >= 0n && age <= BigInt(maxAgeSeconds)
  return isValid ? answer : undefined
}

function latestRound(chain: ChainState, feed: Address) {
  const words = askWords(chain, feedRead(feed), 5)
  if (!words) return refuse('FeedUnavailable', feed)
  const [, says = 0n, startedAt = 0n, updatedAt = 0n] = words
  return { answer: BigInt.asIntN(256, says), startedAt, updatedAt }
}

/** The value of an amount in millionths of a dollar, rounded down. */
export function microsOf(amount: bigint, { price, unit }: Quote): bigint {
  return (amount * 1_000_000n * price) / unit
}

/** The value of an amount, rounded up against the spender. */
export function microsUp(amount: bigint, { price, unit }: Quote): bigint {
  return (amount * 1_000_000n * price + unit - 1n) / unit
}

/**
 * Millionths of a dollar in cents, rounded up against the spender.
 *
 * @example
 * centsUp(10_001n) // 2n
 */
export function centsUp(micros: bigint): bigint {
  return (micros + microsPerCent - 1n) / microsPerCent
}

/** Refuses while a rollup's sequencer is down, or has restarted too recently for prices to be current. */
export function requireSequencerUp(chain: ChainState, feed: Address): void {
  const { answer, startedAt } = latestRound(chain, feed)
  if (answer === 0n && startedAt !== 0n) {
    if (startedAt + sequencerGraceSeconds > maxWord) overflow()
    if (chain.timestamp >= startedAt + sequencerGraceSeconds) return
  }
  refuse('SequencerDown', feed, answer, startedAt)
}
