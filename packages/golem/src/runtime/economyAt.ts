import type { Senses } from '../heartbeat/tickPorts.ts'
import type { GolemSettings } from './golemParts.ts'

const daySeconds = 86_400n

/**
 * What is left to live on after so many seconds of life. Where the owner granted a runway, it is what the chain says that
 * it still gives; else the budget of the settings, less what each day cost. Nothing comes in.
 */
export function economyAt(
  { runwayCents, dailyCosts }: GolemSettings['economy'],
  lived: bigint,
  granted?: bigint,
): Senses['economy'] {
  if (granted !== undefined) return { revenueCents: 0n, costs: dailyCosts, remainingCents: granted }
  const spent = costOf(dailyCosts, lived)
  const remainingCents = runwayCents > spent ? runwayCents - spent : 0n
  return { revenueCents: 0n, costs: dailyCosts, remainingCents }
}

/** What a life of so many seconds has cost. */
export function costOf(dailyCosts: GolemSettings['economy']['dailyCosts'], lived: bigint): bigint {
  const { inference, gas, compute, data } = dailyCosts
  return lived > 0n ? ((inference + gas + compute + data) * lived) / daySeconds : 0n
}
