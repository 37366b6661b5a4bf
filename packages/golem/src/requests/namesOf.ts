import type { AddressBook, Names } from '@bardo/core'
import { isAddressEqual, zeroAddress } from 'viem'

/** A dollar feed has eight decimals, and so has the price of a token at par. */
const feedDecimals = 8

/** The names of a book's addresses for sentences. */
export function namesOf({
  assets,
  vaults,
  pools,
  contracts,
  members = new Map(),
  unverified = [],
}: AddressBook): Names {
  const labels = [
    ...members,
    ...Object.entries(contracts),
    ...[...vaults].map(([symbol, address]) => [`the ${symbol} vault`, address] as const),
    ...[...pools].map(([pair, address]) => [`the ${pair} pool`, address] as const),
    // A token at par has no feed.
    ...[...assets].flatMap(([symbol, { feed }]) =>
      feed === zeroAddress ? [] : [[`${symbol}/USD`, feed] as const],
    ),
  ]
  return {
    token(address) {
      const entry = [...assets].find(([, { token }]) => isAddressEqual(token, address))
      return entry && { symbol: entry[0], decimals: entry[1].scale - feedDecimals }
    },
    label(address) {
      const label = labels.find(([, labelled]) => labelled && isAddressEqual(labelled, address))?.[0]
      const isUnverified = unverified.some((one) => isAddressEqual(one, address))
      return label && isUnverified ? `${label} (not verified)` : label
    },
  }
}
