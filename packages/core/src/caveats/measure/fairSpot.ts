import type { Address } from 'viem'
import type { ChainState } from '../caveatKind.ts'
import { type Mandate, trackedAsset } from '../terms/mandate.ts'
import { questions } from '../verdict/questions.ts'
import { overflow, refuse } from '../verdict/refuse.ts'
import { askAddress, askWord } from '../verdict/staticRead.ts'
import { quoteOf } from './prices.ts'

const bps = 10_000n
const q96 = 1n << 96n
const maxWord = 2n ** 256n - 1n

/** Refuses a pool whose price deviates from the price feeds by more than `maxBps`. */
export function requireFair(chain: ChainState, mandate: Mandate, pool: Address, maxBps: number): void {
  // The first word of `slot0` is the square root of the price.
  let root = askWord(chain, questions.slot0(pool))
  if (root === 0n) refuse('SpotUnfair', pool, 0n, 0n)
  let base = askAddress(chain, questions.token0(pool))
  let quote = askAddress(chain, questions.token1(pool))
  // A price of at least one keeps its digits, so invert it if it is below one.
  if (root < q96) [base, quote, root] = [quote, base, (1n << 192n) / root]
  const spot = fitting((root * root) / q96)
  const fair = fairX96(chain, mandate, base, quote)
  const isHigh = fitting(spot * bps) > fitting(fair * (bps + BigInt(maxBps)))
  if (isHigh || spot * bps < fair * (bps - BigInt(maxBps))) refuse('SpotUnfair', pool, spot, fair)
}

/** The value of one unit of `base` in `quote`, in the smallest units, times 2^96. */
function fairX96(chain: ChainState, mandate: Mandate, base: Address, quote: Address): bigint {
  const baseAsset = mandate.assets[trackedAsset(mandate, base)]
  const quoteAsset = mandate.assets[trackedAsset(mandate, quote)]
  if (!baseAsset || !quoteAsset) return 0n
  const i = quoteOf(chain, baseAsset)
  const j = quoteOf(chain, quoteAsset)
  return fitting((i.price * j.unit * q96) / (j.price * i.unit))
}

/** Refuses a number that overflows the contract's arithmetic. */
function fitting(value: bigint): bigint {
  return value > maxWord ? overflow() : value
}
