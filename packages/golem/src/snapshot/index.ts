export { amountOf, priceOf, priceReads } from './prices.ts'
export type { Snapshot } from './readSnapshot.ts'
