export {
  type AccountSigner,
  type HybridSigners,
  type P256Key,
  p256KeyOf,
  sessionKeySigner,
  signersOf,
  type TypedDataWallet,
  walletSigner,
} from './accounts/accountSigner.ts'
export { deployAccount } from './accounts/deployAccount.ts'
export { encodeUpdateSigners, hybridAccount } from './accounts/hybridAccount.ts'
export { multiSigAccount } from './accounts/multiSigAccount.ts'
export { type AccountPlace, type SmartAccount, signDelegation } from './accounts/smartAccount.ts'
export { isUpgraded, signUpgrade, upgradedAccount } from './accounts/upgradedAccount.ts'
export { type Operation, signUserOperation, userOperationHash } from './accounts/userOperation.ts'
export { systemClock } from './clock/systemClock.ts'
export {
  type CoSignature,
  type CoSigningRequest,
  coSigningTypedData,
  withCoSignatures,
} from './council/coSign.ts'
export { councilSigner, joinSignatures, type Member, type MemberSignature } from './council/councilSigner.ts'
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
export { decideGasDraw, type GasNeed } from './gas/decideGasDraw.ts'
export { drawGas, type GasDraw } from './gas/drawGas.ts'
export { type GasHolder, sendAllGas } from './gas/sendAllGas.ts'
export { type GasAllowance, signGasDraw } from './gas/signGasDraw.ts'
export {
  type AgentWalletConsent,
  agentWalletConsentTypedData,
  longestConsentSeconds,
} from './identity/agentWalletConsent.ts'
export {
  type AgentIdentity,
  createIdentityClient,
  type IdentityClient,
  type PendingTransfer,
} from './identity/createIdentityClient.ts'
export { type Feed, feedStep, signFeed, unsignedFeed } from './owner/cageFeed.ts'
export {
  type Funding,
  permit2Call,
  permit2TypedData,
  permitCalls,
  permitTypedData,
  transferCall,
} from './owner/funding.ts'
export { type ReplacementOrder, replacementOrder } from './owner/replacementOrder.ts'
export { announceGrant, replaceRoot } from './owner/replaceRoot.ts'
export { isDisabled, type OwnerDesk, type Revoked, revocationCall, revoke } from './owner/revoke.ts'
export { encodeDisable, signVeto } from './owner/signVeto.ts'
export { stockCaveat } from './owner/stockCaveat.ts'
export { warnOfExpiry } from './owner/warnOfExpiry.ts'
export { permit2Address, type UniversalSwap, universalSwapCalls } from './permit2/universalSwapCalls.ts'
export { delegationEnd } from './redemption/delegationEnd.ts'
export { type Call, encodeExecution } from './redemption/encodeExecution.ts'
export { encodeRedemption, type RedemptionStep } from './redemption/encodeRedemption.ts'
export { type Redeemer, type Redemption, redeem } from './redemption/redeem.ts'
export { refusedRedemption } from './redemption/refusedRedemption.ts'
export { createRotationPorts, type RotationParts } from './rotation/createRotationPorts.ts'
export { redelegationState } from './rotation/redelegationState.ts'
export type { OwnerRequests, RotationStore } from './rotation/rotationStore.ts'
export { sessionKeyAccount } from './session/sessionKeyAccount.ts'
export { createSharedReader, type StateReader } from './state/createSharedReader.ts'
export { type DelegationTreeState, readDelegationTree } from './state/readDelegationTree.ts'
export { readState } from './state/readState.ts'
export { type Bundler, httpBundler, type OperationGas } from './submission/bundler.ts'
export {
  createOperationSubmitter,
  type OperationSubmitterOptions,
} from './submission/createOperationSubmitter.ts'
export {
  createSubmitter,
  type Landed,
  type SubmissionOptions,
  type Submitter,
  type SubmitterOptions,
  type Wish,
} from './submission/createSubmitter.ts'
export { defaultSettings, type SubmitterSettings } from './submission/settings.ts'
export type { TransactionSigner } from './submission/signAttempt.ts'
export { transactionOf } from './submission/transactionOf.ts'
export type { Paymaster } from './submission/userOperationRail.ts'
export { type Swap, swapCalls } from './trading/swapCalls.ts'
export {
  createVitalsClient,
  type VitalsClient,
  type VitalsClientOptions,
} from './vitals/createVitalsClient.ts'
export { decodeVitals, type Vitals } from './vitals/decodeVitals.ts'
export { type GolemIdentity, registerGolem } from './vitals/registerGolem.ts'
export { resetWriter } from './vitals/resetWriter.ts'
export { type BlockPoint, type Cursor, readCursor, wholeBlock } from './watching/cursor.ts'
export {
  defaultWatchSettings,
  type Watched,
  type WatchOptions,
  type WatchSettings,
  watch,
} from './watching/watch.ts'
export type { WatchedEvent, WatchFilters } from './watching/watchedEvents.ts'
