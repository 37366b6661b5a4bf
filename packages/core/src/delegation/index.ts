export { findWidenings, type Widening } from './attenuation.ts'
export { checkDelegations } from './checkDelegations.ts'
export { comparePolicies, type PolicyComparison } from './comparePolicies.ts'
export { decodeContext, encodeContext } from './context.ts'
export { contextLimits } from './contextLimits.ts'
export {
  type ChildEnforcers,
  type CrossGolemDelegation,
  crossGolemDelegation,
} from './crossGolemDelegation.ts'
export { anyDelegate, type Caveat, type Delegation, isRoot, rootAuthority } from './delegation.ts'
export {
  createDelegationVerifier,
  type DelegationVerifier,
  type DelegationVerifierOptions,
} from './delegationVerifier.ts'
export {
  type CaveatVerdict,
  type DelegationQuestion,
  type DelegationVerdict,
  delegationReads,
  evaluateDelegations,
  type FirstRefusal,
} from './evaluateDelegations.ts'
export type { ManagerRefusal } from './evaluateLinks.ts'
export {
  type ExecutionOutcome,
  type Explanation,
  explain,
  type RedemptionOutcome,
  type Revert,
  type RevertLocation,
} from './explanation.ts'
export { shareReads, type VaultShares, vaultShares } from './exposure/vaultShares.ts'
export {
  type Assumption,
  type Exposure,
  type ExposureInput,
  exposure,
  type LossCause,
  type Price,
  type Sum,
  type Uncounted,
} from './exposure.ts'
export { hashDelegation, type Keccak } from './hashDelegation.ts'
export { type CagePart, methodsOfPart, narrowCage } from './narrowCage.ts'
export {
  type CaveatJson,
  type ErrorJson,
  type ExplanationJson,
  type ExplanationOptions,
  explanationToJson,
  explanationToText,
  type LinkJson,
} from './renderExplanation.ts'
export {
  type NodeJson,
  type RenderOptions,
  type TreeJson,
  treeToJson,
  treeToText,
} from './renderTree.ts'
export { type RevocationFacts, type RevocationState, revocationState } from './revocationState.ts'
export { type RootDelegation, rootDelegation } from './rootDelegation.ts'
export { delegationTypedData, delegationTypes } from './signing/delegationTypedData.ts'
export { buildTree, chainOf, type DelegationNode, type DelegationTree } from './tree.ts'
export { type ReadCaveat, readCaveats, treeReads, usageOf } from './usage.ts'
