export { sessionKeyAccount } from './accounts/sessionKeyAccount.ts'
export { type SessionSigner, sessionSigner } from './accounts/sessionSigner.ts'
export { isUpgraded, signUpgrade } from './accounts/upgrade.ts'
export { type Operation, signUserOperation, userOperationHash } from './accounts/userOperation.ts'
export { assumeCoSigned } from './cosigning/assumeCoSigned.ts'
export {
  type CoSignature,
  type CoSignedLink,
  type CoSigningRequest,
  coSigningTypedData,
  findCoSigned,
  isNonceUsed,
  validCoSignatures,
  withCoSignatures,
} from './cosigning/coSign.ts'
export { coSignAsMember, type MemberLimits, type MemberQuestion } from './cosigning/coSignAsMember.ts'
export {
  councilSigner,
  joinSignatures,
  type Member,
  type MemberSignature,
} from './cosigning/councilSigner.ts'
export { createWasmEngine } from './crypto/createWasmEngine.ts'
export { devnetDeployment } from './deployments/devnetDeployment.ts'
export { verifyDeployment } from './deployments/verifyDeployment.ts'
export { type BlockPoint, type Cursor, readCursor } from './events/cursor.ts'
export { type Watched, type WatchOptions, type WatchSettings, watch } from './events/watch.ts'
export type { WatchedEvent, WatchFilters } from './events/watchedEvents.ts'
export { evaluateRedemption, type RedemptionTrial, simulates } from './explain/evaluateRedemption.ts'
export { type Evaluation, evaluateRounds, type Seen } from './explain/evaluateRounds.ts'
export { explainRedemption, type ReadMemory, type RedemptionQuestion } from './explain/explainRedemption.ts'
export {
  type ExplainedContext,
  explainTransaction,
  type TransactionExplanation,
} from './explain/explainTransaction.ts'
export type { Spending } from './explain/readSpending.ts'
export { revertInError } from './explain/revertInError.ts'
export type { SimulatedCall } from './explain/simulate.ts'
export { decideGasDraw, type GasNeed } from './gasAllowance/decideGasDraw.ts'
export { drawGas, type GasDraw } from './gasAllowance/drawGas.ts'
export { type GasHolder, type SweptGas, sendAllGas } from './gasAllowance/sendAllGas.ts'
export { type GasAllowance, signGasDraw } from './gasAllowance/signGasDraw.ts'
export { type AccountHolder, spendableGas, sweepAccount } from './gasAllowance/sweepAccount.ts'
export { type AgentWalletConsent, agentWalletConsentTypedData } from './identity/agentWalletConsent.ts'
export {
  type AgentIdentity,
  createIdentityClient,
  type IdentityClient,
  type PendingTransfer,
} from './identity/createIdentityClient.ts'
export {
  adoptConstitution,
  enactConstitution,
  readAdopted,
  readConstitution,
} from './ownerActions/constitution.ts'
export { deployAccount } from './ownerActions/deployAccount.ts'
export {
  type Funding,
  permit2Call,
  permit2TypedData,
  permitCalls,
  permitTypedData,
  transferCall,
} from './ownerActions/funding.ts'
export { announceGrant, replaceRoot } from './ownerActions/replaceRoot.ts'
export { isDisabled, type OwnerSigner, type Revoked, revoke } from './ownerActions/revoke.ts'
export {
  type BookProblem,
  bookProblemText,
  findBookProblems,
  requireBook,
  requireSequencerFeed,
} from './reads/bookProblems.ts'
export { createSharedReader, type StateReader } from './reads/createSharedReader.ts'
export { type DelegationTreeState, readDelegationTree } from './reads/readDelegationTree.ts'
export { readDecimals, readFloors, vaultsIn } from './reads/readSigningFacts.ts'
export { readSigningMoment } from './reads/readSigningMoment.ts'
export { readState } from './reads/readState.ts'
export { explainLanded, type Redeemer, type Redemption, redeem } from './redemption/redeem.ts'
export { refusedRedemption } from './redemption/refusedRedemption.ts'
export { createRotationPorts, type RotationParts } from './rotation/createRotationPorts.ts'
export { redelegationState } from './rotation/redelegationState.ts'
export type { OwnerRequests, RotationStore } from './rotation/rotationStore.ts'
export { type Bundler, httpBundler, type OperationGas } from './submission/bundler.ts'
export {
  createOperationSubmitter,
  type OperationSubmitterOptions,
} from './submission/createOperationSubmitter.ts'
export {
  createSubmitter,
  createSubmitterOn,
  type Landed,
  landedAs,
  type SubmissionOptions,
  type Submitter,
  type SubmitterOptions,
  type TransactionRequest,
} from './submission/createSubmitter.ts'
export { readGasPrice } from './submission/gasMarket.ts'
export { httpPaymaster } from './submission/httpPaymaster.ts'
export { resendSettled } from './submission/resendSettled.ts'
export { defaultSettings, type SubmitterSettings } from './submission/settings.ts'
export type { TransactionSigner } from './submission/signAttempt.ts'
export type { SubmissionBackend } from './submission/submissionBackend.ts'
export { transactionBackend } from './submission/transactionBackend.ts'
export { type Paymaster, userOperationBackend } from './submission/userOperationBackend.ts'
export { systemClock } from './systemClock.ts'
export {
  type AddedLiquidity,
  addLiquidityCalls,
  type RemovedLiquidity,
  removeLiquidityCall,
} from './uniswap/liquidityCalls.ts'
export { type LiquidityPosition, type LiquidityToken, readLiquidity } from './uniswap/readLiquidity.ts'
export { type Swap, swapCalls } from './uniswap/swapCalls.ts'
export {
  amountsOf,
  liquidityFor,
  rangeAround,
  squareRoot,
  type TickRange,
  type TokenAmounts,
  tickAt,
} from './uniswap/tickMath.ts'
export { permit2Address, type UniversalSwap, universalSwapCalls } from './uniswap/universalSwapCalls.ts'
export {
  createVitalsClient,
  type VitalsClient,
  type VitalsClientOptions,
} from './vitals/createVitalsClient.ts'
export { decodeVitals, type Vitals } from './vitals/decodeVitals.ts'
export { type GolemIdentity, registerGolem } from './vitals/registerGolem.ts'
export { resetPhase } from './vitals/resetPhase.ts'
export { resetWriter } from './vitals/resetWriter.ts'
