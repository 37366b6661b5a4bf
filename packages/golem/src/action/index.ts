export { isViolation } from './isViolation.ts'
export {
  policyFrom,
  policyKey,
  policySentence,
  policyTemplates,
  readWalletPolicy,
  type WalletPolicy,
  walletPolicyHash,
  walletPolicySchema,
  widerIn,
} from './walletPolicy.ts'
