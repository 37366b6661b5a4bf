export { type ContractName, contractNames, type EnforcerName } from './contractNames.ts'
export { earlierEnforcers } from './earlierEnforcers.ts'
export { canonicalFramework, type Framework, frameworkVersion } from './framework.ts'
export { type ChainName, type SupportedChain, supportedChains } from './supportedChains.ts'
