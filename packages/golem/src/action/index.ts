export { checkFlows } from './checkConstitution.ts'
export { isViolation } from './isViolation.ts'
export { type ConstitutionUse, readConstitutionUse } from './readConstitutionUse.ts'
export {
  keepWalletPolicy,
  policyFrom,
  policySentence,
  policyTemplates,
  readPolicyHistory,
  readWalletPolicy,
  type WalletPolicy,
  walletPolicyHash,
  walletPolicySchema,
  widerIn,
} from './walletPolicy.ts'
