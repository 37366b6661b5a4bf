export {
  type AccountSigner,
  ecdsaStub,
  type HybridSigners,
  type P256Key,
  p256KeyOf,
  signersOf,
  type TypedDataWallet,
  walletSigner,
} from './accountSigner.ts'
export { encodeUpdateSigners, hybridAccount } from './hybridAccount.ts'
export { multiSigAccount } from './multiSigAccount.ts'
export { type AccountContext, type SmartAccount, signDelegation } from './smartAccount.ts'
export { upgradedAccount } from './upgradedAccount.ts'
