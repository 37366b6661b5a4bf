export { create2Factory, deploymentCall } from './create2Factory.ts'
export { isDeployed } from './inspect.ts'
export { type ContractName, type PlannedContract, planDeployment } from './planDeployment.ts'
export { planFor, type TargetName, targets } from './targets.ts'
