export { type Paused, pauseGolem } from './lineage/pauseGolem.ts'
export { scheduleTickNow } from './lineage/scheduleTickNow.ts'
export { withdrawalCalls } from './money/withdraw.ts'
export {
  type OperationInput,
  type OperationKind,
  type OperationResult,
  operationKinds,
  operations,
} from './operations.ts'
export { accountOf } from './owner/accountOf.ts'
export { type OwnerAnswer, ownerAnswerSchema } from './owner/answers.ts'
export type { AnyOperation, OperationContext, OperationSigner } from './owner/ownerOperation.ts'
export { type OwnerStepJson, ownerStepSchema } from './owner/ownerStep.ts'
export { performOperation } from './performOperation.ts'
export { regrantedResult } from './permission/regrant.ts'
export { resetPhaseResult } from './permission/resetPhase.ts'
export { type RevokedResult, revocationCalls, revokedResult } from './permission/revoke.ts'
export {
  completeOperation,
  type FinishedOperation,
  type PreparedOperationJson,
  preparedOperationSchema,
  prepareOperation,
  type SignedOperation,
  signedOperationSchema,
} from './prepareOperation.ts'
export { answeredResult } from './requests/answer.ts'
export { type GolemTexts, textsKey } from './summon/golemTexts.ts'
export { summonedResult } from './summon/summon.ts'
