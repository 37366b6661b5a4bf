export { type BoundsSubject, compileBounds, type DelegationBounds } from './compileBounds.ts'
export { noBundler } from './createSessionAccountWallet.ts'
export { createWalletSubmitter, type WalletSubmitterOptions } from './createWalletSubmitter.ts'
export { isPublicAccount } from './isPublicAccount.ts'
export { activeKey } from './keys/activeKey.ts'
export { createSealedKey, type NewSealedKey, type NewSealedKeyOptions } from './keys/createSealedKey.ts'
export { type ClosedText, type ImportedKey, importKey } from './keys/importKey.ts'
export type { KeySource, KeyVault } from './keys/keySource.ts'
export { type SealedKeySourceOptions, sealedKeySource } from './keys/sealedKeySource.ts'
export { requireSecretKey } from './requireSecretKey.ts'
export type { OperationChain, Route } from './route.ts'
export {
  accountAt,
  actsByAccount,
  firstAccountOf,
  ownAddressOf,
  type SessionAccount,
} from './sessionAccount.ts'
export type { Wallet, WalletCapabilities, WalletChain, WalletHealth } from './wallet.ts'
