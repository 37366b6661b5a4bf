export { type AgentWalletGrant, unsignedAgentWalletGrant } from './agentWalletGrant.ts'
export type { OwnedAccount } from './ownedAccount.ts'
export { type OwnerCall, ownerCall } from './ownerCall.ts'
export { type ReplacementOrder, replacementOrder } from './replacementOrder.ts'
export { revocationCall } from './revocationCall.ts'
export {
  type RunwayDraw,
  runwayDrawStep,
  signRunwayDraw,
  unsignedRunwayDraw,
} from './runwayDraw.ts'
export { signVeto, unsignedVeto, type Veto } from './signVeto.ts'
