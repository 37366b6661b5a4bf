export { type BookEntry, bookEntries, entryName, plannedEntries } from './addressBook/bookEntries.ts'
export { builtInBook } from './addressBook/builtInBook.ts'
export { type AddedEntries, mergeBook } from './addressBook/mergeBook.ts'
export { comparePlans, isNarrowerOrEqual, type PlanChange } from './comparePlans.ts'
export {
  type Constitution,
  type ConstitutionPlan,
  type ConstitutionRules,
  compareConstitutions,
  completeRules,
  constitutionSentences,
  encodeAdopt,
  encodeEnact,
  hashConstitution,
  namedConstitution,
} from './constitution.ts'
export { defaultFloor } from './defaultFloor.ts'
export { allowsMoreOverTime, compareGrant, type GrantDifference } from './erc7715/compareGrant.ts'
export {
  type GrantFramework,
  type GrantInspection,
  inspectGrant,
} from './erc7715/inspectGrant.ts'
export {
  olderRequestMethod,
  type RunwayParties,
  type RunwayRequest,
  requestMethod,
  runwayRequests,
} from './erc7715/permissionRequest.ts'
export {
  type ReadGrant,
  type ReadPermission,
  readGrants,
  readRequest,
} from './erc7715/readGrant.ts'
export { type OtherCaveat, readSignedGrant, type SignedGrant } from './erc7715/readSignedGrant.ts'
export {
  type RecurringPermission,
  type RecurringRequest,
  readRecurringRequest,
  toRecurringRequest,
} from './erc7715/recurringRequest.ts'
export {
  type GrantingWallet,
  type RequestShape,
  requestGrants,
  type WalletGrants,
  type WalletRequest,
} from './erc7715/requestGrants.ts'
export {
  type GrantRequest,
  type OlderRequest,
  type SignerRequest,
  toOlderRequest,
  toSignerRequest,
} from './erc7715/requestShapes.ts'
export {
  type ExampleName,
  type ExampleParties,
  type ExampleTree,
  exampleTree,
} from './exampleTree.ts'
export { leastOf, mostOf } from './leastOf.ts'
export type {
  Capability,
  CoSignerPlan,
  Evidence,
  PermissionPlan,
  PlanPair,
  PlanSections,
  Reason,
  TargetRole,
} from './permissionPlan.ts'
export { planFromCalls, type RecordedCall, type RecordingOptions } from './planFromCalls.ts'
export {
  type PreparedSignatures,
  prepareSignatures,
  type SignatureParties,
} from './prepareSignatures.ts'
export { readSignedPlan, type SignedPlan, signedBook } from './readSignedPlan.ts'
export { type SigningMoment, settlePlan } from './settlePlan.ts'
export {
  type ReadDecimals,
  requireNoIdentityTarget,
  requireScales,
  requireSeparateBalances,
  requireSignable,
  type SigningFacts,
} from './signingChecks.ts'
export {
  type CapabilityFinding,
  type CompiledStrategy,
  type CompileOptions,
  compileStrategy,
  type RunwayPlan,
} from './strategy/compileStrategy.ts'
export { parseCoSigners } from './strategy/readCoSigners.ts'
export type { ClosingPrice, LiquidityRules } from './strategy/readLiquidity.ts'
export type { ReplicantLimits } from './strategy/readReplicants.ts'
export type { StatedRules } from './strategy/readRules.ts'
export { isSaltOf, nextCount, strategySalt } from './strategySalt.ts'
export {
  type AddressBook,
  type CageSubject,
  constitutionIn,
  coSignerKeys,
  missingAddresses,
  toCageTerms,
} from './toCageTerms.ts'
export { vaultManagerPermissions } from './vaultManagerPermissions.ts'
