import type { ChainState } from '../caveatKind.ts'
import { refuse } from '../verdict/refuse.ts'

/** Both ends are inclusive. */
export function requireWithin({ timestamp }: ChainState, start: number, end: number): void {
  if (timestamp < BigInt(start) || timestamp > BigInt(end))
    refuse('OutsideWindow', timestamp, BigInt(start), BigInt(end))
}

/** @param last - time of the previous execution; zero if there was none */
export function requireRested({ timestamp }: ChainState, last: bigint, intervalSeconds: number): void {
  const interval = BigInt(intervalSeconds)
  if (last !== 0n && timestamp < last + interval) refuse('TooSoon', last, interval)
}
