import { zeroAddress } from 'viem'
import type { Asset } from '../../caveats/terms/mandate.ts'
import { protocols } from '../../deployments/protocols.ts'
import type { AddressBook } from '../toCageTerms.ts'

/** The decimals of a price feed in dollars, and of the price of a token at par. */
const feedDecimals = 8
/**
 * The age up to which a built-in price is used: the slowest feeds write once in 24 hours if the price does not move. An
 * owner's file can state less.
 */
const mostAgeSeconds = 90_000

/**
 * The built-in address book of a chain. A token is an asset only if a package lists its price feed; USDC without one is
 * at par. Empty for the devnet, which has a book of its own.
 *
 * @example
 * builtInBook(8453).assets.get('WETH')?.token // '0x4200000000000000000000000000000000000006'
 */
export function builtInBook(chainId: number): AddressBook {
  const entries = protocols[chainId] ?? []
  const feedOf = (symbol: string) =>
    entries.find(({ type, name }) => type === 'feed' && name === symbol)?.address
  const assets = entries.flatMap((entry): [string, Asset][] => {
    if (entry.type !== 'token') return []
    const { name, address: token, decimals } = entry
    const feed = feedOf(name)
    const scale = decimals + feedDecimals
    if (feed) return [[name, { token, feed, maxAgeSeconds: mostAgeSeconds, scale }]]
    return name === 'USDC' ? [[name, { token, feed: zeroAddress, maxAgeSeconds: 0, scale }]] : []
  })
  const native = entries.find(({ type }) => type === 'nativeFeed')
  const sequencer = entries.find(({ type }) => type === 'sequencerFeed')
  const contract = (role: keyof AddressBook['contracts']) => {
    const found = entries.find(({ type, name }) => type === 'contract' && name === role)
    return found && { [role]: found.address }
  }
  return {
    assets: new Map(assets),
    pools: new Map(
      entries.flatMap(({ type, name, address }) => (type === 'pool' ? [[name, address] as const] : [])),
    ),
    vaults: new Map(),
    contracts: {
      ...contract('swapRouter02'),
      ...contract('universalRouter'),
      ...contract('permit2'),
      ...contract('positionManager'),
    },
    ...(native && {
      native: {
        token: zeroAddress,
        feed: native.address,
        maxAgeSeconds: mostAgeSeconds,
        scale: 18 + feedDecimals,
      },
    }),
    ...(sequencer && { sequencerFeed: sequencer.address }),
  }
}
