import { spendableGas } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { outageOf } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'

/** The minimum gas of one step of a death. */
const gasOfStep = 100_000n
/** A base fee counts as normal if one of this many recent blocks had it. */
const feeBlocks = 100

/** Why a dying Golem can no longer send a transaction; undefined if the error has another cause. */
export function findObstacle(error: unknown): string | undefined {
  if (outageOf(error) === 'keyLost') return 'the session key is wiped'
  if (isGasGone(error)) return 'the session key has no gas'
  if (error instanceof BardoError && error.code === 'INTENT_CLOSED')
    return 'it was closed when the key was rotated'
  return undefined
}

/**
 * Whether a lack of gas is temporary: the key could pay at a normal fee, and the deadline `until` (Unix
 * seconds) is not over. Then a dying Golem waits and tries again. Otherwise it would leave its positions open
 * and its delegation enabled.
 */
export async function canPayLater(
  { client, deployment, clock }: Pick<GolemParts, 'client' | 'deployment' | 'clock'>,
  { key, until }: { readonly key: Address; readonly until: number },
  error: unknown,
): Promise<boolean> {
  if (!isGasGone(error) || clock.now() >= until * 1_000) return false
  try {
    const [{ balance, deposit }, { baseFeePerGas }] = await Promise.all([
      spendableGas({ client, entryPoint: deployment.framework.EntryPoint }, key),
      client.getFeeHistory({ blockCount: feeBlocks, rewardPercentiles: [] }),
    ])
    const wei = balance + deposit
    return wei > 0n && baseFeePerGas.some((fee) => wei >= fee * gasOfStep)
  } catch {
    // The node did not answer. Waiting is safe, because `until` bounds it.
    return true
  }
}

function isGasGone(error: unknown): boolean {
  return error instanceof BardoError && error.code === 'INSUFFICIENT_FUNDS'
}
