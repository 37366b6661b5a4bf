import { settleSeconds } from './death.ts'

/**
 * The last second in which a Golem need not die yet. After the end of its window nothing of it would be let through: who
 * has something to close begins before that, by the time that settling may take, and by a quarter of a short life.
 */
export function lastSecond(
  window: { readonly start: number; readonly end: number },
  hasPositions: boolean,
): bigint {
  if (!hasPositions) return BigInt(window.end)
  const lead = Math.min(settleSeconds, Math.floor((window.end - window.start) / 4))
  return BigInt(window.end - lead)
}
