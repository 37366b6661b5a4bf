export { createWasmEngine } from './crypto/createWasmEngine.ts'
export { type Deployment, deploymentOn, supportedChainIds } from './deployments/deployment.ts'
export { type Framework, frameworkVersion } from './deployments/framework.ts'
export { caveatRegistry } from './deployments/registry.ts'
export { verifyDeployment } from './deployments/verifyDeployment.ts'
export { decodeRevert, revertInError } from './explain/decodeRevert.ts'
export { explainRedemption, type ReadMemory, type RedemptionQuestion } from './explain/explainRedemption.ts'
export {
  type ExplainedContext,
  explainTransaction,
  type TransactionExplanation,
} from './explain/explainTransaction.ts'
export type { Spending } from './explain/readSpending.ts'
export type { RedeemedContext } from './explain/redeemCall.ts'
export type { SimulatedCall } from './explain/simulate.ts'
export { sessionKeyAccount } from './session/sessionKeyAccount.ts'
export { type DelegationTreeState, readDelegationTree } from './state/readDelegationTree.ts'
export { readState } from './state/readState.ts'
export {
  createSubmitter,
  type Landed,
  type Submitter,
  type SubmitterOptions,
  type Wish,
} from './submission/createSubmitter.ts'
export { defaultSettings, type SubmitterSettings } from './submission/settings.ts'
export type { TransactionSigner } from './submission/signAttempt.ts'
export {
  createVitalsClient,
  type VitalsClient,
  type VitalsClientOptions,
} from './vitals/createVitalsClient.ts'
export { decodeVitals, type Vitals } from './vitals/decodeVitals.ts'
export { type BlockPoint, type Cursor, readCursor, wholeBlock } from './watching/cursor.ts'
export {
  defaultWatchSettings,
  type Watched,
  type WatchOptions,
  type WatchSettings,
  watch,
} from './watching/watch.ts'
export type { WatchedEvent, WatchFilters } from './watching/watchedEvents.ts'
