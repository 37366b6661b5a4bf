export type { GolemState } from './golemState.ts'
export { livingChildren, readFamily } from './storedFamily.ts'
export { phaseAt, readStoredDeath } from './storedState.ts'
