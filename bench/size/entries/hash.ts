export { hashDelegation } from '@bardo/core/delegation'
