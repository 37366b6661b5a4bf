export { canonicalJson } from './canonicalJson.ts'
export { upgradeNames } from './upgradeNames.ts'
