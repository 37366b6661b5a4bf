import { refuse } from '../verdict/refuse.ts'

/** Refuses a swap that brought in too little for what it took. */
export function requireWithinSlippage(outMicros: bigint, inMicros: bigint, maxBps: number): void {
  if (inMicros * 10_000n < outMicros * BigInt(10_000 - maxBps))
    refuse('SlippageExceeded', outMicros, inMicros, BigInt(maxBps))
}
