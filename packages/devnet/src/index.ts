export { type Anvil, type AnvilOptions, startAnvil } from './anvil/startAnvil.ts'
export { connectDevnet, type DevnetConnection } from './connectDevnet.ts'
export { devnetBook } from './devnetBook.ts'
export { freshTransport } from './freshTransport.ts'
export { type FoundWorld, type KeptWorld, readKeptWorld, writeKeptWorld } from './keptWorld.ts'
export { type Devnet, type DevnetOptions, startDevnet } from './startDevnet.ts'
export { swapRouter02Abi } from './uniswap/abis.ts'
export type { Pair } from './uniswap/pools.ts'
export {
  createOwnerWallet,
  type OwnerWallet,
  type OwnerWalletOptions,
  type OwnerWalletProvider,
} from './wallet/createOwnerWallet.ts'
export type { Decide, Decision, GrantAdjustment, Prompt } from './wallet/decision.ts'
export { ProviderRpcError } from './wallet/ProviderRpcError.ts'
export { devnetAccount, devnetMnemonic, type Role, roles } from './world/accounts.ts'
export type { DevnetClient } from './world/devnetClient.ts'
export type { Funds } from './world/fund.ts'
export type { World, WorldAddresses, WorldDescription } from './world/worldDescription.ts'
