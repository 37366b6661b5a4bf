export { missedTicks } from './missedTicks.ts'
export { isReported } from './watchHeartbeats.ts'
