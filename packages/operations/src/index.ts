export { type OperationKind, operationKinds, operations } from './operations.ts'
export type { OwnerAnswer } from './owner/answers.ts'
export type { AnyOperation, OperationContext } from './owner/ownerOperation.ts'
export type { OwnerStepJson } from './owner/ownerStep.ts'
export { performOperation } from './performOperation.ts'
export {
  completeOperation,
  type FinishedOperation,
  type PreparedOperationJson,
  prepareOperation,
  type SignedOperation,
  signedOperationSchema,
} from './prepareOperation.ts'
