import type { Address } from 'viem'
import type { ChainState, HookContext } from '../caveatKind.ts'
import { settlementClasses } from '../execution/actionClass.ts'
import type { Plan } from '../execution/plan.ts'
import { type Mandate, trackedAsset } from '../terms/mandate.ts'
import { questions } from '../verdict/questions.ts'
import { refuse } from '../verdict/refuse.ts'
import { askAddress, askWord } from '../verdict/staticRead.ts'
import { microsOf, microsPerCent, quoteOf } from './prices.ts'

/** A share of a vault's assets, and an absolute cap. */
export type NavBound = { readonly vault: Address; readonly bps: number; readonly capCents: bigint }

const maxTotal = 2n ** 128n - 1n

/** The smaller of the cap and the share, in millionths of a dollar, rounded down. */
export function navLimitMicros(
  chain: ChainState,
  mandate: Mandate,
  { vault, bps, capCents }: NavBound,
): bigint {
  const place = trackedAsset(mandate, askAddress(chain, questions.asset(vault)))
  // Overflow: use the largest value, since the cap still holds.
  const total = smaller(askWord(chain, questions.totalAssets(vault)), maxTotal)
  const asset = mandate.assets[place]
  if (!asset) return 0n
  const share = (microsOf(total, quoteOf(chain, asset)) * BigInt(bps)) / 10_000n
  return smaller(share, capCents * microsPerCent)
}

export function requireWithinNav(
  { rules }: Pick<HookContext, 'rules'>,
  outMicros: bigint,
  limitMicros: bigint,
): void {
  if (outMicros > limitMicros) refuse(rules === 1 ? 'NavExceeded' : 'NAVExceeded', outMicros, limitMicros)
}

/**
 * Whether an execution does more than close positions. Version 1 made no difference; since version 2, a
 * sequencer or a vault that is down does not block closing positions.
 */
export function isMoreThanClosing({ rules }: Pick<HookContext, 'rules'>, { classes }: Plan): boolean {
  return rules === 1 || (classes & ~settlementClasses) !== 0
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
