export { bardoCaveats } from './caveats/bardoCaveats.ts'
export { type BoundKind, type Registry, type Row, registryOf, type Usage } from './caveats/boundKind.ts'
export { type CadenceTerms, cadence } from './caveats/cadence.ts'
export type { CageTerms, SizesByPhase } from './caveats/cage/cageTerms.ts'
export { cage } from './caveats/cage.ts'
export {
  type Answer,
  type CaveatKind,
  type ChainState,
  type Coverage,
  caveatKind,
  type Execution,
  type HookContext,
  type Names,
  type Read,
  type Refusal,
  type Verdict,
} from './caveats/caveatKind.ts'
export { type DailySpendLimitTerms, dailySpendLimit } from './caveats/dailySpendLimit.ts'
export { type DreamModeTerms, dreamMode } from './caveats/dreamMode.ts'
export { type EmotionalStateTerms, emotionalState } from './caveats/emotionalState.ts'
export { type ActionClass, classBits } from './caveats/execution/actionClass.ts'
export { type Method, methodBits } from './caveats/execution/methods.ts'
export { type GolemPhaseTerms, golemPhase } from './caveats/golemPhase.ts'
export { type KnowledgeRoyaltyTerms, knowledgeRoyalty } from './caveats/knowledgeRoyalty.ts'
export { type MaxSlippageTerms, maxSlippage } from './caveats/maxSlippage.ts'
export { coSigningDigest } from './caveats/measure/coSigners.ts'
export { type MortalityTimeWindowTerms, mortalityTimeWindow } from './caveats/mortalityTimeWindow.ts'
export { type PolicyCageTerms, policyCage } from './caveats/policyCage.ts'
export { type ReplicantBudgetTerms, replicantBudget } from './caveats/replicantBudget.ts'
export { stockKinds, stockRegistry } from './caveats/stock/stockKinds.ts'
export { type Asset, type Mandate, noSettlement, type Target, targetKinds } from './caveats/terms/mandate.ts'
export { type ThresholdTerms, threshold } from './caveats/threshold.ts'
export { type VaultNAVTerms, vaultNAV } from './caveats/vaultNAV.ts'
export { type CryptoEngine, nobleEngine } from './crypto/cryptoEngine.ts'
export { findWidenings, type Widening } from './delegation/attenuation.ts'
export { checkChain } from './delegation/checkChain.ts'
export { decodeContext, encodeContext } from './delegation/context.ts'
export { contextLimits } from './delegation/contextLimits.ts'
export { anyDelegate, type Caveat, type Delegation, isRoot, rootAuthority } from './delegation/delegation.ts'
export {
  createDelegationVerifier,
  type DelegationVerifier,
  type DelegationVerifierOptions,
} from './delegation/delegationVerifier.ts'
export {
  type CaveatVerdict,
  type ChainQuestion,
  type ChainVerdict,
  chainReads,
  evaluateChain,
  type FirstRefusal,
} from './delegation/evaluateChain.ts'
export { hashDelegation, type Keccak } from './delegation/hashDelegation.ts'
export type { ManagerRefusal } from './delegation/judgeLinks.ts'
export {
  type NodeJson,
  type RenderOptions,
  type TreeJson,
  treeToJson,
  treeToText,
} from './delegation/renderTree.ts'
export { type RevocationFacts, type RevocationState, revocationState } from './delegation/revocationState.ts'
export { buildTree, chainOf, type DelegationNode, type DelegationTree } from './delegation/tree.ts'
export { treeReads } from './delegation/usage.ts'
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
export {
  BardoError,
  type BardoErrorOptions,
  type Outcome,
} from './errors/BardoError.ts'
export {
  type ErrorCode,
  type ErrorSurface,
  errorCodes,
} from './errors/codes.ts'
export type { Clock } from './journal/clock.ts'
export type {
  Attempt,
  Intent,
  Journal,
  JournalRecord,
  Mined,
  Sender,
  Settlement,
} from './journal/journal.ts'
export { createMemoryJournal } from './journal/memoryJournal.ts'
export type { CustodyMode } from './onboarding/custodyMode.ts'
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
export { leastOf } from './permissions/leastOf.ts'
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
export { type Phase, phaseNames, phaseNumber, phases } from './phase/phase.ts'
export {
  advancePhase,
  type Clocks,
  phaseOf,
  phaseThresholds,
  shownVitality,
  survivalScore,
  vitality,
} from './phase/vitality.ts'
export type { CustodyEvent, RevocationCause, SessionKeyEvent } from './session/events.ts'
export {
  advanceRotation,
  type KeyName,
  maxRedelegations,
  nextRotationStep,
  operatingKey,
  planRotation,
  type Rotation,
  type RotationKind,
  type RotationStep,
  rotationSteps,
  type StepResult,
} from './session/rotation.ts'
export {
  defaultRotationPolicy,
  type KeyUse,
  type RotationPolicy,
  type RotationReason,
  rotationReason,
} from './session/rotationPolicy.ts'
export { type RotationPorts, runRotation } from './session/runRotation.ts'
export {
  openSealedKey,
  type Scrypt,
  type ScryptCost,
  type SealedKey,
  type SealingOptions,
  type SealingSecret,
  sealSessionKey,
} from './session/sealedKey.ts'
export {
  availableOf,
  type BudgetReading,
  budgetWarning,
  budgetWarningBps,
  land,
  openBudget,
  type Reservation,
  reconcile,
  release,
  reserve,
  type SessionBudget,
} from './session/sessionBudget.ts'
export {
  type Curve,
  type DigestSignature,
  generateSessionKey,
  type RandomBytes,
  type SessionKey,
  sessionKeyFrom,
} from './session/sessionKey.ts'
export {
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
