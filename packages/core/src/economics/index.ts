export { economicClock, fullLifespanHours } from './economicClock.ts'
export {
  highStakes,
  type InferenceTier,
  needsAgreement,
  selectInferenceTier,
} from './inferenceTier.ts'
export {
  type DailyCosts,
  type MetabolicState,
  metabolicState,
  projectedLifespanHours,
} from './metabolism.ts'
export {
  leastAgreement,
  type ModelAgreement,
  type ModelRecommendation,
  modelAgreement,
  type StructuredOutput,
} from './modelAgreement.ts'
export {
  budgetWarningPercent,
  expiryWarningSeconds,
  type PermissionHealth,
  type PermissionState,
  permissionHealth,
  permissionWarnings,
} from './permissionHealth.ts'
export { redeemable, redemptionPerMille } from './runwayShare.ts'
