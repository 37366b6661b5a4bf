import type { ContractName } from '@bardo/deploy'
import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { Address } from 'viem'
import type { Role } from './accounts.ts'

/** Where everything stands. One flat list: a name here is a name in the printed table and in the JSON file. */
export type WorldAddresses = Readonly<Record<ContractName, Address>> & {
  readonly delegationManager: Address
  readonly entryPoint: Address
  readonly create2Deployer: Address
  readonly multicall3: Address
  readonly permit2: Address
  readonly weth: Address
  readonly usdc: Address
  readonly wbtc: Address
  readonly usdcVault: Address
  readonly uniswapV3Factory: Address
  readonly nonfungiblePositionManager: Address
  readonly swapRouter02: Address
  readonly quoterV2: Address
  readonly universalRouter: Address
  readonly usdcWethPool: Address
  readonly wbtcWethPool: Address
  readonly usdcFeed: Address
  readonly wethFeed: Address
  readonly wbtcFeed: Address
}

/** What was built: the same at every start of the same version. */
export type World = {
  readonly addresses: WorldAddresses
  /** The Delegation Framework as MetaMask's kit wants it: manager, account implementations, enforcers. */
  readonly framework: SmartAccountsEnvironment
}

/** Everything another process must know to use the world: plain data, and what `npm run devnet -- --json` prints. */
export type WorldDescription = World & {
  readonly url: string
  readonly chainId: number
  /** Anvil's public test mnemonic; the accounts below are its first ten. */
  readonly mnemonic: string
  readonly accounts: Readonly<Record<Role, Address>>
}
