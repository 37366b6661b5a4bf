import type { ContractName } from '@bardo/core'
import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { Address } from 'viem'
import type { Role } from './accounts.ts'

/**
 * The contracts of a devnet besides Bardo's own, by their names in the printed table and in the JSON file.
 */
export const worldContracts = [
  'delegationManager',
  'entryPoint',
  'create2Deployer',
  'multicall3',
  'permit2',
  'weth',
  'usdc',
  'wbtc',
  'usdcVault',
  'uniswapV3Factory',
  'nonfungiblePositionManager',
  'swapRouter02',
  'quoterV2',
  'universalRouter',
  'usdcWethPool',
  'wbtcWethPool',
  'usdcFeed',
  'wethFeed',
  'wbtcFeed',
  'publicOracle',
] as const

/** All addresses, in one flat list. */
export type WorldAddresses = Readonly<Record<ContractName | (typeof worldContracts)[number], Address>>

/** What was built. The same at every start of the same version. */
export type World = {
  readonly addresses: WorldAddresses
  /**
   * The Delegation Framework in the format of MetaMask's kit: manager, account implementations, enforcers.
   */
  readonly framework: SmartAccountsEnvironment
}

/**
 * Everything that another process needs to use the devnet, as plain data: the output of `npm run devnet --
 * --json`.
 */
export type WorldDescription = World & {
  readonly url: string
  readonly chainId: number
  /** Anvil's public test mnemonic; the accounts below are its first ten. */
  readonly mnemonic: string
  readonly accounts: Readonly<Record<Role, Address>>
}
