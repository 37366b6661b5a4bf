export { readShared, type SharedDelegation } from './storedDelegations.ts'
