export { bardoCaveats } from './bardoCaveats.ts'
export { bardoRegistry } from './bardoRegistry.ts'
export { type BoundKind, type Registry, type Row, registryOf, type Usage } from './boundKind.ts'
export { type CadenceTerms, cadence } from './cadence.ts'
export { type CageTerms, type GasBound, type SizesByPhase, weiPerMicroEther } from './cage/cageTerms.ts'
export { compareCages, type PolicyChange } from './cage/compareCages.ts'
export { mostInADay } from './cage/mostInADay.ts'
export { cage } from './cage.ts'
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
} from './caveatKind.ts'
export { type DailySpendLimitTerms, dailySpendLimit } from './dailySpendLimit.ts'
export { type DreamModeTerms, dreamMode } from './dreamMode.ts'
export { type EmotionalStateTerms, emotionalState } from './emotionalState.ts'
export { type ActionClass, classBits } from './execution/actionClass.ts'
export { type Method, methodBits, methodNames } from './execution/methods.ts'
export { type GolemPhaseTerms, golemPhase } from './golemPhase.ts'
export { type KnowledgeRoyaltyTerms, knowledgeRoyalty } from './knowledgeRoyalty.ts'
export { type MaxSlippageTerms, maxSlippage } from './maxSlippage.ts'
export { coSigningDigest } from './measure/coSigners.ts'
export type { VaultFloor } from './measure/floors.ts'
export { centsUp, microsPerCent, priceOf, priceReads } from './measure/prices.ts'
export { lastExecutionIn } from './measure/rollingBudget.ts'
export type { Total } from './measure/totals.ts'
export { wordsIn } from './measure/used.ts'
export { metamaskKinds, metamaskRegistry } from './metamask/metamaskKinds.ts'
export { type MortalityTimeWindowTerms, mortalityTimeWindow } from './mortalityTimeWindow.ts'
export { type PolicyCageTerms, policyCage } from './policyCage.ts'
export { type ReplicantBudgetTerms, replicantBudget } from './replicantBudget.ts'
export { type Asset, type Mandate, noSettlement, type Target, targetKinds } from './terms/mandate.ts'
export { nonceRead, type ThresholdTerms, threshold } from './threshold.ts'
export { type VaultNAVTerms, vaultNAV } from './vaultNAV.ts'
export { balanceRead } from './verdict/questions.ts'
export { remedyFor } from './verdict/remedies.ts'
