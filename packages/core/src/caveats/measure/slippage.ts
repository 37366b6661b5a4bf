import { refuse } from '../verdict/refuse.ts'

/** Refuses a swap that returned too little for its input. */
export function requireWithinSlippage(outMicros: bigint, inMicros: bigint, maxBps: number): void {
  if (inMicros * 10_000n < outMicros * BigInt(10_000 - maxBps))
    refuse('SlippageExceeded', outMicros, inMicros, BigInt(maxBps))
}
