import type { AddressBook } from '@bardo/core'
import { type Address, toFunctionSelector, zeroAddress } from 'viem'
import type { World } from './world/worldDescription.ts'

const publishSelector = toFunctionSelector('function publish(bytes32 topic, int256 value)')

/**
 * The addresses of a strategy's tokens and contracts on the devnet. USDC is at par; WETH's price may be three
 * months old.
 */
export function devnetBook({
  addresses,
}: {
  readonly addresses: World['addresses'] & { readonly sequencerFeed?: Address }
}): AddressBook {
  return {
    assets: new Map([
      ['USDC', { token: addresses.usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
      ['WETH', { token: addresses.weth, feed: addresses.wethFeed, maxAgeSeconds: 8_000_000, scale: 26 }],
    ]),
    native: { token: zeroAddress, feed: addresses.wethFeed, maxAgeSeconds: 8_000_000, scale: 26 },
    // A devnet that an earlier version built has no such contract.
    ...(addresses.publicOracle && {
      publishers: new Map([['ORACLE', { address: addresses.publicOracle, selector: publishSelector }]]),
    }),
    pools: new Map([['USDC/WETH', addresses.usdcWethPool]]),
    vaults: new Map([['USDC', addresses.usdcVault]]),
    contracts: {
      swapRouter02: addresses.swapRouter02,
      positionManager: addresses.nonfungiblePositionManager,
    },
    ...(addresses.sequencerFeed && { sequencerFeed: addresses.sequencerFeed }),
  }
}
