export { constitutionToml, rulesFrom } from './constitutionToml.ts'
export { readRules } from './readGolemConfig.ts'
export { secret } from './secret.ts'
