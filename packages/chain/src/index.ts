export { createWasmEngine } from './crypto/createWasmEngine.ts'
export { type Deployment, deploymentOn, supportedChainIds } from './deployments/deployment.ts'
export { type Framework, frameworkVersion } from './deployments/framework.ts'
export { verifyDeployment } from './deployments/verifyDeployment.ts'
export { sessionKeyAccount } from './session/sessionKeyAccount.ts'
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
