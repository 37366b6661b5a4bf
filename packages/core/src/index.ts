// Permissions, phase, economics, settlement, onboarding, typed data.
export { economicClock, fullLifespanHours } from './economics/economicClock.ts'
export {
  highStakes,
  type InferenceTier,
  needsAgreement,
  selectInferenceTier,
} from './economics/inferenceTier.ts'
export {
  type DailyCosts,
  type MetabolicState,
  metabolicState,
  projectedLifespanHours,
} from './economics/metabolism.ts'
export {
  cosine,
  leastAgreement,
  type ModelAgreement,
  type ModelRecommendation,
  modelAgreement,
  type StructuredOutput,
} from './economics/modelAgreement.ts'
export {
  budgetWarningPercent,
  expiryWarningSeconds,
  type PermissionHealth,
  type PermissionState,
  permissionHealth,
  permissionWarnings,
} from './economics/permissionHealth.ts'
export { redeemable, redemptionPerMille } from './economics/redemption.ts'
export { BardoError, type BardoErrorOptions, type Outcome } from './errors/BardoError.ts'
export { type ErrorCode, type ErrorSurface, errorCodes } from './errors/codes.ts'
export {
  type AuthMethod,
  advanceOnboarding,
  type Onboarding,
  type OnboardingEvent,
  onboardingSteps,
} from './onboarding/onboarding.ts'
export { comparePlans, isNarrowerOrEqual, type PlanChange } from './permissions/comparePlans.ts'
export { allowsMoreOverTime, compareGrant, type GrantDifference } from './permissions/erc7715/compareGrant.ts'
export {
  type OlderRequest,
  olderRequestMethod,
  type RunwayParties,
  type RunwayRequest,
  requestMethod,
  runwayRequests,
  toOlderRequest,
} from './permissions/erc7715/permissionRequest.ts'
export {
  type ReadGrant,
  type ReadPermission,
  readGrants,
  readRequest,
} from './permissions/erc7715/readGrant.ts'
export type {
  Capability,
  Evidence,
  PermissionPlan,
  PlanClass,
  PlanMethod,
  PlanPair,
  PlanSections,
  Reason,
  TargetRole,
} from './permissions/permissionPlan.ts'
export { planFromCalls, type RecordedCall, type RecordingOptions } from './permissions/planFromCalls.ts'
export {
  type CapabilityFinding,
  type CompiledStrategy,
  type CompileOptions,
  compileStrategy,
  type RunwayPlan,
} from './permissions/strategy/compileStrategy.ts'
export {
  type AddressBook,
  type BookAsset,
  type CageBounds,
  type CageSubject,
  toCageBounds,
} from './permissions/toCageBounds.ts'
export { type Phase, phaseNumber, phases } from './phase/phase.ts'
export {
  advancePhase,
  type Clocks,
  phaseOf,
  phaseThresholds,
  shownVitality,
  survivalScore,
  vitality,
} from './phase/vitality.ts'
export {
  type CustodyMode,
  type DeathSettlement,
  type DeferredPosition,
  type EconomicExhaustion,
  type Estate,
  type ExpiryCause,
  type InnerSettlement,
  ownerMustAct,
  type SettledPosition,
  type SweepManifest,
  settleDeath,
} from './settlement/deathSettlement.ts'
export {
  type ActionPermit,
  actionPermitRefusal,
  actionPermitTypedData,
  actionPermitTypes,
} from './typedData/actionPermit.ts'
export {
  type CladeChallenge,
  cladeChallengeRefusal,
  cladeChallengeTypedData,
  cladeChallengeTypes,
} from './typedData/cladeChallenge.ts'
