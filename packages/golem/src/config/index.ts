export { constitutionToml, rulesFrom } from './constitutionToml.ts'
export { readRoute, readRules } from './readGolemConfig.ts'
export { secret } from './secret.ts'
