export { create2Factory, deploymentCall } from './create2Factory.ts'
export { isDeployed } from './inspect.ts'
export { type PlannedContract, planDeployment } from './planDeployment.ts'
export { planFor } from './targets.ts'
