import type { TokenPrice } from '@bardo/core'
import type { z } from 'zod'
import type { modelPrices } from './golemToml.ts'

/** The price of each model of a Golem. */
export type ModelPrices = Readonly<Record<'T0' | 'T1' | 'T2' | 'second', TokenPrice>>

const million = 1_000_000
const priceOf = ({ input, output }: { readonly input: number; readonly output: number }): TokenPrice => ({
  inputMicros: BigInt(Math.round(input * million)),
  outputMicros: BigInt(Math.round(output * million)),
})

/** Prices of the usual hosted models, small to large (`docs/economics.md#prices`). */
export const defaultPrices: ModelPrices = {
  T0: priceOf({ input: 0.15, output: 0.6 }),
  T1: priceOf({ input: 1, output: 4 }),
  T2: priceOf({ input: 3, output: 15 }),
  second: priceOf({ input: 3, output: 15 }),
}

/** The stated prices; a price that is not stated is left out. */
export function readPrices(stated: z.infer<typeof modelPrices> = {}): Partial<ModelPrices> {
  const { t0, t1, t2, second } = stated
  return {
    ...(t0 && { T0: priceOf(t0) }),
    ...(t1 && { T1: priceOf(t1) }),
    ...(t2 && { T2: priceOf(t2) }),
    ...(second && { second: priceOf(second) }),
  }
}
