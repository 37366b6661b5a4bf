export { create2Factory, deploymentCall } from './create2Factory.ts'
export { type ContractName, type PlannedContract, planDeployment } from './planDeployment.ts'
