export { delegationTypedData } from '@bardo/core/delegation'
