import type { Address } from 'viem'
import type { ChainState } from '../caveatKind.ts'
import { type Mandate, trackedAsset } from '../terms/mandate.ts'
import { askAddress, askWord } from '../verdict/ask.ts'
import { questions } from '../verdict/questions.ts'
import { overflow, refuse } from '../verdict/refuse.ts'
import { quoteOf } from './prices.ts'

const bps = 10_000n
const q96 = 1n << 96n
const maxWord = 2n ** 256n - 1n

/** Refuses a pool whose price is more than `maxBps` off the feeds'. */
export function requireFair(chain: ChainState, mandate: Mandate, pool: Address, maxBps: number): void {
  // The first word of `slot0` is the square root of the price.
  let root = askWord(chain, questions.slot0(pool))
  if (root === 0n) refuse('SpotUnfair', pool, 0n, 0n)
  let base = askAddress(chain, questions.token0(pool))
  let quote = askAddress(chain, questions.token1(pool))
  // Looked at from the side from which it is at least one, a price keeps all its digits.
  if (root < q96) [base, quote, root] = [quote, base, (1n << 192n) / root]
  const spot = fitting((root * root) / q96)
  const fair = fairX96(chain, mandate, base, quote)
  const isHigh = fitting(spot * bps) > fitting(fair * (bps + BigInt(maxBps)))
  if (isHigh || spot * bps < fair * (bps - BigInt(maxBps))) refuse('SpotUnfair', pool, spot, fair)
}

/** How much of `quote` one unit of `base` is worth, in the tokens' smallest units, times 2^96. */
function fairX96(chain: ChainState, mandate: Mandate, base: Address, quote: Address): bigint {
  const baseAsset = mandate.assets[trackedAsset(mandate, base)]
  const quoteAsset = mandate.assets[trackedAsset(mandate, quote)]
  if (!baseAsset || !quoteAsset) return 0n
  const i = quoteOf(chain, baseAsset)
  const j = quoteOf(chain, quoteAsset)
  return fitting((i.price * j.unit * q96) / (j.price * i.unit))
}

/** A number that the contract's arithmetic can hold. */
function fitting(value: bigint): bigint {
  return value > maxWord ? overflow() : value
}
