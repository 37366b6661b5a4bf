export {
  type AccountSigner,
  ecdsaStub,
  type HybridSigners,
  type P256Key,
  p256KeyOf,
  signersOf,
  type TypedDataWallet,
  walletSigner,
} from './accounts/accountSigner.ts'
export { encodeUpdateSigners, hybridAccount } from './accounts/hybridAccount.ts'
export { multiSigAccount } from './accounts/multiSigAccount.ts'
export { type AccountContext, type SmartAccount, signDelegation } from './accounts/smartAccount.ts'
export { upgradedAccount } from './accounts/upgradedAccount.ts'
export { type BatcherOptions, createBatcher } from './batching/createBatcher.ts'
export { bardoCaveats } from './caveats/bardoCaveats.ts'
export { bardoRegistry } from './caveats/bardoRegistry.ts'
export { type BoundKind, type Registry, type Row, registryOf, type Usage } from './caveats/boundKind.ts'
export { type CadenceTerms, cadence } from './caveats/cadence.ts'
export {
  type CageTerms,
  type GasBound,
  type SizesByPhase,
  weiPerMicroEther,
} from './caveats/cage/cageTerms.ts'
export { compareCages, type PolicyChange } from './caveats/cage/compareCages.ts'
export { mostInADay } from './caveats/cage/mostInADay.ts'
export { cage } from './caveats/cage.ts'
export {
  type Answer,
  type CaveatKind,
  type ChainState,
  type Coverage,
  caveatKind,
  type Execution,
  type HookContext,
  type HookName,
  type Names,
  type Read,
  type Refusal,
  type RulesVersion,
  type SenderKind,
  type Verdict,
} from './caveats/caveatKind.ts'
export { type DailySpendLimitTerms, dailySpendLimit } from './caveats/dailySpendLimit.ts'
export { type DreamModeTerms, dreamMode } from './caveats/dreamMode.ts'
export { type EmotionalStateTerms, emotionalState } from './caveats/emotionalState.ts'
export { type ActionClass, classBits } from './caveats/execution/actionClass.ts'
export { type Method, methodBits, methodNames } from './caveats/execution/methods.ts'
export { type GolemPhaseTerms, golemPhase } from './caveats/golemPhase.ts'
export { type KnowledgeRoyaltyTerms, knowledgeRoyalty } from './caveats/knowledgeRoyalty.ts'
export { type MaxSlippageTerms, maxSlippage } from './caveats/maxSlippage.ts'
export { coSigningDigest } from './caveats/measure/coSigners.ts'
export type { VaultFloor } from './caveats/measure/floors.ts'
export { centsUp, microsPerCent, priceOf, priceReads } from './caveats/measure/prices.ts'
export { lastExecutionIn } from './caveats/measure/rollingBudget.ts'
export type { Total } from './caveats/measure/totals.ts'
export { wordsIn } from './caveats/measure/used.ts'
export { metamaskKinds, metamaskRegistry } from './caveats/metamask/metamaskKinds.ts'
export { type MortalityTimeWindowTerms, mortalityTimeWindow } from './caveats/mortalityTimeWindow.ts'
export { type PolicyCageTerms, policyCage } from './caveats/policyCage.ts'
export { type ReplicantBudgetTerms, replicantBudget } from './caveats/replicantBudget.ts'
export { type Asset, type Mandate, noSettlement, type Target, targetKinds } from './caveats/terms/mandate.ts'
export { nonceRead, type ThresholdTerms, threshold } from './caveats/threshold.ts'
export { type VaultNAVTerms, vaultNAV } from './caveats/vaultNAV.ts'
export { balanceRead } from './caveats/verdict/questions.ts'
export { remedyFor } from './caveats/verdict/remedies.ts'
export { type CryptoEngine, nobleEngine } from './crypto/cryptoEngine.ts'
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
} from './death/deathSettlement.ts'
export {
  type DeathEvidence,
  type DeathTrigger,
  deathTriggers,
  decideDeath,
  fatalRefusals,
  type Revocation,
  type RevocationEvidence,
  revocationOf,
  type SilenceEvidence,
} from './death/decideDeath.ts'
export { type RevocationReason, revocationReason, revocationReasons } from './death/revocationReason.ts'
export { findWidenings, type Widening } from './delegation/attenuation.ts'
export { checkDelegations } from './delegation/checkDelegations.ts'
export { comparePolicies, type PolicyComparison } from './delegation/comparePolicies.ts'
export { decodeContext, encodeContext } from './delegation/context.ts'
export { contextLimits } from './delegation/contextLimits.ts'
export {
  type ChildEnforcers,
  type CrossGolemDelegation,
  crossGolemDelegation,
} from './delegation/crossGolemDelegation.ts'
export { anyDelegate, type Caveat, type Delegation, isRoot, rootAuthority } from './delegation/delegation.ts'
export {
  createDelegationVerifier,
  type DelegationVerifier,
  type DelegationVerifierOptions,
} from './delegation/delegationVerifier.ts'
export {
  type CaveatVerdict,
  type DelegationQuestion,
  type DelegationVerdict,
  delegationReads,
  evaluateDelegations,
  type FirstRefusal,
} from './delegation/evaluateDelegations.ts'
export type { ManagerRefusal } from './delegation/evaluateLinks.ts'
export {
  type ExecutionOutcome,
  type Explanation,
  explain,
  type RedemptionOutcome,
  type Revert,
  type RevertLocation,
} from './delegation/explanation.ts'
export { shareReads, type VaultShares, vaultShares } from './delegation/exposure/vaultShares.ts'
export {
  type Assumption,
  type Exposure,
  type ExposureInput,
  exposure,
  type LossCause,
  type Price,
  type Sum,
  type Uncounted,
} from './delegation/exposure.ts'
export { hashDelegation, type Keccak } from './delegation/hashDelegation.ts'
export { type CagePart, methodsOfPart, narrowCage } from './delegation/narrowCage.ts'
export {
  type CaveatJson,
  type ErrorJson,
  type ExplanationJson,
  type ExplanationOptions,
  explanationToJson,
  explanationToText,
  type LinkJson,
} from './delegation/renderExplanation.ts'
export {
  type NodeJson,
  type RenderOptions,
  type TreeJson,
  treeToJson,
  treeToText,
} from './delegation/renderTree.ts'
export { type RevocationFacts, type RevocationState, revocationState } from './delegation/revocationState.ts'
export { type RootDelegation, rootDelegation } from './delegation/rootDelegation.ts'
export { delegationTypedData, delegationTypes } from './delegation/signing/delegationTypedData.ts'
export { buildTree, chainOf, type DelegationNode, type DelegationTree } from './delegation/tree.ts'
export { type ReadCaveat, readCaveats, treeReads, usageOf } from './delegation/usage.ts'
export { caveatRegistry } from './deployments/caveatRegistry.ts'
export { type ContractName, contractNames, type EnforcerName } from './deployments/contractNames.ts'
export { type Deployment, deploymentOn, supportedChainIds } from './deployments/deployment.ts'
export { earlierEnforcers } from './deployments/earlierEnforcers.ts'
export { canonicalFramework, type Framework, frameworkVersion } from './deployments/framework.ts'
export { metamaskCaveat } from './deployments/metamaskCaveat.ts'
export type { ProtocolAddress } from './deployments/protocolAddress.ts'
export { protocols } from './deployments/protocols.ts'
export { enforcerVersion, readTerms } from './deployments/readTerms.ts'
export { type ChainName, type SupportedChain, supportedChains } from './deployments/supportedChains.ts'
export { usdcOn } from './deployments/usdcOn.ts'
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
export { redeemable, redemptionPerMille } from './economics/runwayShare.ts'
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
export { canonicalJson } from './format/canonicalJson.ts'
export { formatCompactDuration, formatExactDuration, formatLongDuration } from './format/duration.ts'
export { formatCompactDollars, formatDollars } from './format/money.ts'
export { formatMinute, isoTime } from './format/time.ts'
export { upgradeNames } from './format/upgradeNames.ts'
export type { Clock } from './journal/clock.ts'
export {
  type Attempt,
  type Intent,
  type IntentOutcome,
  type Journal,
  type JournalRecord,
  type Mined,
  minedTransaction,
  type Sender,
} from './journal/journal.ts'
export { createMemoryJournal } from './journal/memoryJournal.ts'
export type { SubmissionEvent } from './journal/submissionEvent.ts'
export {
  afterTransaction,
  type Balance,
  type BookPosition,
  type Books,
  booksOf,
  positionIn,
} from './ledger/books.ts'
export {
  allotmentGranted,
  dayUsed,
  gasPaid,
  type Inference,
  inferenceUsed,
  moveEntries,
  type TokenPrice,
  undoneTransaction,
} from './ledger/costs.ts'
export {
  type DayPrices,
  type DaySum,
  economyOf,
  figuresOf,
  type LedgerEconomy,
  type LedgerFigures,
  type LedgerSummary,
} from './ledger/figures.ts'
export {
  dollarAsset,
  type LedgerEntry,
  type LedgerKind,
  type LedgerTransaction,
  ledgerAccounts,
  nativeAsset,
  requireBalanced,
  type Valuation,
} from './ledger/ledgerTransaction.ts'
export { type ExchangeKind, exchangeEntries, type Moved, transferEntries } from './ledger/moves.ts'
export type { CustodyMode } from './onboarding/custodyMode.ts'
export {
  type AuthMethod,
  advanceOnboarding,
  type Onboarding,
  type OnboardingEvent,
  onboardingSteps,
} from './onboarding/onboarding.ts'
export { type AgentWalletGrant, unsignedAgentWalletGrant } from './ownerActions/agentWalletGrant.ts'
export type { OwnedAccount } from './ownerActions/ownedAccount.ts'
export { type OwnerCall, ownerCall } from './ownerActions/ownerCall.ts'
export { type ReplacementOrder, replacementOrder } from './ownerActions/replacementOrder.ts'
export { revocationCall } from './ownerActions/revocationCall.ts'
export {
  type RunwayDraw,
  runwayDrawStep,
  signRunwayDraw,
  unsignedRunwayDraw,
} from './ownerActions/runwayDraw.ts'
export { signVeto, unsignedVeto, type Veto } from './ownerActions/signVeto.ts'
export {
  type BookEntry,
  bookEntries,
  entryName,
  plannedEntries,
} from './permissions/addressBook/bookEntries.ts'
export { builtInBook } from './permissions/addressBook/builtInBook.ts'
export { type AddedEntries, mergeBook } from './permissions/addressBook/mergeBook.ts'
export { comparePlans, isNarrowerOrEqual, type PlanChange } from './permissions/comparePlans.ts'
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
} from './permissions/constitution.ts'
export { defaultFloor } from './permissions/defaultFloor.ts'
export { allowsMoreOverTime, compareGrant, type GrantDifference } from './permissions/erc7715/compareGrant.ts'
export {
  type GrantFramework,
  type GrantInspection,
  inspectGrant,
} from './permissions/erc7715/inspectGrant.ts'
export {
  olderRequestMethod,
  type RunwayParties,
  type RunwayRequest,
  requestMethod,
  runwayRequests,
} from './permissions/erc7715/permissionRequest.ts'
export {
  type ReadGrant,
  type ReadPermission,
  readGrants,
  readRequest,
} from './permissions/erc7715/readGrant.ts'
export { type OtherCaveat, readSignedGrant, type SignedGrant } from './permissions/erc7715/readSignedGrant.ts'
export {
  type RecurringPermission,
  type RecurringRequest,
  readRecurringRequest,
  toRecurringRequest,
} from './permissions/erc7715/recurringRequest.ts'
export {
  type GrantingWallet,
  type RequestShape,
  requestGrants,
  type WalletGrants,
  type WalletRequest,
} from './permissions/erc7715/requestGrants.ts'
export {
  type GrantRequest,
  type OlderRequest,
  type SignerRequest,
  toOlderRequest,
  toSignerRequest,
} from './permissions/erc7715/requestShapes.ts'
export {
  type ExampleName,
  type ExampleParties,
  type ExampleTree,
  exampleTree,
} from './permissions/exampleTree.ts'
export { leastOf, mostOf } from './permissions/leastOf.ts'
export type {
  Capability,
  CoSignerPlan,
  Evidence,
  PermissionPlan,
  PlanPair,
  PlanSections,
  Reason,
  TargetRole,
} from './permissions/permissionPlan.ts'
export { planFromCalls, type RecordedCall, type RecordingOptions } from './permissions/planFromCalls.ts'
export {
  type PreparedSignatures,
  prepareSignatures,
  type SignatureParties,
} from './permissions/prepareSignatures.ts'
export { readSignedPlan, type SignedPlan, signedBook } from './permissions/readSignedPlan.ts'
export { type SigningMoment, settlePlan } from './permissions/settlePlan.ts'
export {
  type ReadDecimals,
  requireNoIdentityTarget,
  requireScales,
  requireSeparateBalances,
  requireSignable,
  type SigningFacts,
} from './permissions/signingChecks.ts'
export {
  type CapabilityFinding,
  type CompiledStrategy,
  type CompileOptions,
  compileStrategy,
  type RunwayPlan,
} from './permissions/strategy/compileStrategy.ts'
export { parseCoSigners } from './permissions/strategy/readCoSigners.ts'
export type { ClosingPrice, LiquidityRules } from './permissions/strategy/readLiquidity.ts'
export type { ReplicantLimits } from './permissions/strategy/readReplicants.ts'
export type { StatedRules } from './permissions/strategy/readRules.ts'
export { isSaltOf, nextCount, strategySalt } from './permissions/strategySalt.ts'
export {
  type AddressBook,
  type CageSubject,
  constitutionIn,
  coSignerKeys,
  missingAddresses,
  toCageTerms,
} from './permissions/toCageTerms.ts'
export { vaultManagerPermissions } from './permissions/vaultManagerPermissions.ts'
export { laterPhase, type Phase, phaseNames, phaseNumber, phases } from './phase/phase.ts'
export {
  advancePhase,
  type Clocks,
  phaseOf,
  phaseThresholds,
  shownVitality,
  survivalScore,
  vitality,
} from './phase/vitality.ts'
export { delegationEnd } from './redemption/delegationEnd.ts'
export { type Call, encodeExecution } from './redemption/encodeExecution.ts'
export { encodeOwnCalls, encodeRedemption, type RedemptionStep } from './redemption/encodeRedemption.ts'
export { managerAbi } from './redemption/managerAbi.ts'
export { decodeManagerCall, encodeDisable, encodeEnable, type ManagerCall } from './redemption/managerCall.ts'
export { decodeRedeemCall, encodeRedeemCall, type RedeemedContext } from './redemption/redeemCall.ts'
export { decodeRevert } from './reverts/decodeRevert.ts'
export type { CustodyEvent, GasEvent, RevocationCause, SessionKeyEvent } from './session/events.ts'
export {
  advanceRotation,
  isSwitched,
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
  supersedeRotation,
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
export {
  type ExpectedAttestation,
  type GolemAttestation,
  golemAttestationRefusal,
  golemAttestationTypedData,
  type SignedGolemAttestation,
} from './typedData/golemAttestation.ts'
export { type GolemIdentity, golemIdOf } from './typedData/golemIdOf.ts'
export { type GolemRegistration, golemRegistrationTypedData } from './typedData/golemRegistration.ts'
export { type PhaseReset, phaseResetTypedData } from './typedData/phaseReset.ts'
