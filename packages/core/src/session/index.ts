export type { CustodyEvent, GasEvent, RevocationCause, SessionKeyEvent } from './events.ts'
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
} from './rotation.ts'
export {
  defaultRotationPolicy,
  type KeyUse,
  type RotationPolicy,
  type RotationReason,
  rotationReason,
} from './rotationPolicy.ts'
export { type RotationPorts, runRotation } from './runRotation.ts'
export {
  openSealedKey,
  type Scrypt,
  type ScryptCost,
  type SealedKey,
  type SealingOptions,
  type SealingSecret,
  sealSessionKey,
} from './sealedKey.ts'
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
} from './sessionBudget.ts'
export {
  type Curve,
  type DigestSignature,
  generateSessionKey,
  type RandomBytes,
  type SessionKey,
  sessionKeyFrom,
} from './sessionKey.ts'
