import { settleSeconds } from '../state/death.ts'

/**
 * The last second before a Golem must begin to die. After the end of its window the chain refuses everything:
 * a Golem with
 * open positions begins earlier, by the time the settlement may take, and by at most a quarter of a short
 * life.
 */
export function lastSecond(
  window: { readonly start: number; readonly end: number },
  hasPositions: boolean,
): bigint {
  if (!hasPositions) return BigInt(window.end)
  const lead = Math.min(settleSeconds, Math.floor((window.end - window.start) / 4))
  return BigInt(window.end - lead)
}
