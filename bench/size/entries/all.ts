/** What a page needs to show a delegation to an owner: hash, typed data, decode, describe, compare. */
export { bardoRegistry, metamaskRegistry } from '@bardo/core/caveats'
export {
  buildTree,
  comparePolicies,
  decodeContext,
  delegationTypedData,
  findWidenings,
  hashDelegation,
  treeToJson,
  treeToText,
} from '@bardo/core/delegation'
