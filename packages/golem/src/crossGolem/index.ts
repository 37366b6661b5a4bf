export { activeShared } from './activeShared.ts'
export { readShared, type SharedDelegation } from './storedDelegations.ts'
