export { decodeContext } from '@bardo/core/delegation'
