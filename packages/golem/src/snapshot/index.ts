export { amountOf } from './prices.ts'
export type { Snapshot } from './readSnapshot.ts'
