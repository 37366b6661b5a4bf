import type { Address } from 'viem'
import type { ChainState } from '../caveatKind.ts'
import { type Mandate, trackedAsset } from '../terms/mandate.ts'
import { askAddress, askWord } from '../verdict/ask.ts'
import { questions } from '../verdict/questions.ts'
import { refuse } from '../verdict/refuse.ts'
import { microsOf, microsPerCent, quoteOf } from './prices.ts'

/** A share of what a vault holds, and an absolute cap beside it. */
export type NavBound = { readonly vault: Address; readonly bps: number; readonly capCents: bigint }

const maxTotal = 2n ** 128n - 1n

/** The smaller of the cap and the share, in millionths of a dollar, rounded down. */
export function navLimitMicros(
  chain: ChainState,
  mandate: Mandate,
  { vault, bps, capCents }: NavBound,
): bigint {
  const place = trackedAsset(mandate, askAddress(chain, questions.asset(vault)))
  // More than can be reckoned with is as good as that: the cap holds anyway.
  const total = smaller(askWord(chain, questions.totalAssets(vault)), maxTotal)
  const asset = mandate.assets[place]
  if (!asset) return 0n
  const share = (microsOf(total, quoteOf(chain, asset)) * BigInt(bps)) / 10_000n
  return smaller(share, capCents * microsPerCent)
}

export function requireWithinNav(outMicros: bigint, limitMicros: bigint): void {
  if (outMicros > limitMicros) refuse('NavExceeded', outMicros, limitMicros)
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
