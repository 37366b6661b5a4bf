import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { ProtocolAddress } from '../../deployments/protocolAddress.ts'
import { protocols } from '../../deployments/protocols.ts'
import { type PermissionPlan, targetKey } from '../permissionPlan.ts'
import type { AddressBook } from '../toCageTerms.ts'

/** One named address of an address book. */
export type BookEntry = {
  readonly type: ProtocolAddress['type'] | 'vault' | 'sale'
  /** A symbol, both symbols of a pool, or the role of a contract. */
  readonly name: string
  readonly address: Address
  /** The package of a built-in address, with its version; undefined if it is not built in. */
  readonly source: string | undefined
  /** False if it comes from the owner's file. */
  readonly isVerified: boolean
}

/**
 * Every address of a book, where it comes from, and whether it is built in.
 *
 * @example
 * bookEntries(builtInBook(8453), 8453).find(({ name }) => name === 'swapRouter02')?.source
 */
export function bookEntries(book: AddressBook, chainId: number): readonly BookEntry[] {
  const { assets, native, pools, vaults, contracts, sale, sequencerFeed, unverified = [] } = book
  const known = protocols[chainId] ?? []
  const entry = (type: BookEntry['type'], name: string, address: Address): BookEntry => {
    const source = known.find(
      (one) => one.type === type && one.name === name && isAddressEqual(one.address, address),
    )?.source
    const isVerified = source !== undefined || !unverified.some((other) => isAddressEqual(other, address))
    return { type, name, address, source, isVerified }
  }
  const nativeName = known.find(({ type }) => type === 'nativeFeed')?.name ?? 'native'
  return [
    ...Object.entries(contracts).flatMap(([name, address]) =>
      address ? [entry('contract', name, address)] : [],
    ),
    ...[...assets].map(([symbol, { token }]) => entry('token', symbol, token)),
    ...[...assets].flatMap(([symbol, { feed }]) =>
      feed === zeroAddress ? [] : [entry('feed', symbol, feed)],
    ),
    ...(native ? [entry('nativeFeed', nativeName, native.feed)] : []),
    ...(sequencerFeed ? [entry('sequencerFeed', 'sequencerFeed', sequencerFeed)] : []),
    ...[...pools].map(([pair, address]) => entry('pool', pair, address)),
    ...[...vaults].map(([symbol, address]) => entry('vault', symbol, address)),
    ...(sale ? [entry('sale', 'sale', sale.address)] : []),
  ]
}

/**
 * The entries that a plan uses: those that its owner signs, and no others.
 *
 * @example
 * plannedEntries(compileStrategy('DCA $20 of USDC into WETH every week.', { now }).plan, book, 8453)
 */
export function plannedEntries(
  { assets, targets, sections: { gas, vaultNav, constitution } }: PermissionPlan,
  book: AddressBook,
  chainId: number,
): readonly BookEntry[] {
  const symbols = new Set([...assets, ...(constitution?.shares ?? []).map(({ asset }) => asset)])
  const keys = new Set(targets.map(targetKey))
  return bookEntries(book, chainId).filter(({ type, name }) => {
    switch (type) {
      case 'token':
      case 'feed':
        return symbols.has(name)
      case 'nativeFeed':
        return gas !== undefined
      case 'sequencerFeed':
        return true
      case 'contract':
      case 'sale':
        return keys.has(name)
      case 'pool':
        return keys.has(`pool ${name}`)
      case 'vault':
        return keys.has(`vault ${name}`) || vaultNav?.asset === name
      default:
        return type satisfies never
    }
  })
}

/**
 * An entry in words: `token USDC`, `pool USDC/WETH`.
 *
 * @example
 * bookEntries(book, 8453).map(entryName)
 */
export function entryName({ type, name }: Pick<BookEntry, 'type' | 'name'>): string {
  switch (type) {
    case 'nativeFeed':
      return `price feed of ${name}, the native currency`
    case 'feed':
      return `price feed of ${name}`
    case 'sequencerFeed':
      return 'sequencer feed'
    case 'sale':
      return 'sale contract'
    default:
      return `${type} ${name}`
  }
}
