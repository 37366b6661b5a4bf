/** What a page needs to act for an owner: an account's address, a veto, a redemption, and what a revert means. */
export { hybridAccount } from '@bardo/core/accounts'
export { deploymentOn } from '@bardo/core/deployments'
export { revocationCall, signVeto } from '@bardo/core/ownerActions'
export { decodeRedeemCall, encodeRedemption } from '@bardo/core/redemption'
export { decodeRevert } from '@bardo/core/reverts'
