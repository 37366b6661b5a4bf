export { type Intention, summaryOf } from './strategy.ts'
export { vaultStrategy } from './vaultStrategy.ts'
