import type { Senses } from '../heartbeat/tickPorts.ts'
import type { GolemSettings } from './golemParts.ts'

const daySeconds = 86_400n

/** What is left of the runway after so many seconds of life: each day costs the same, and nothing comes in. */
export function economyAt(
  { runwayCents, dailyCosts }: GolemSettings['economy'],
  lived: bigint,
): Senses['economy'] {
  const spent = costOf(dailyCosts, lived)
  const remainingCents = runwayCents > spent ? runwayCents - spent : 0n
  return { revenueCents: 0n, costs: dailyCosts, remainingCents }
}

/** What a life of so many seconds has cost. */
export function costOf(dailyCosts: GolemSettings['economy']['dailyCosts'], lived: bigint): bigint {
  const { inference, gas, compute, data } = dailyCosts
  return lived > 0n ? ((inference + gas + compute + data) * lived) / daySeconds : 0n
}
