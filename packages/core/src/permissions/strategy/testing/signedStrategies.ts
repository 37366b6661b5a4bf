import { plainStrategies } from './plainStrategies.ts'
import type { SignedStrategy } from './signedStrategy.ts'
import { trapStrategies } from './trapStrategies.ts'

/** Every strategy with known signed bytes. */
export const signedStrategies: readonly SignedStrategy[] = [...plainStrategies, ...trapStrategies]
