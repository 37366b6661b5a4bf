import type { AddressBook, Names } from '@bardo/core'
import { isAddressEqual } from 'viem'

/** A dollar feed has eight decimals, and a price at par counts as many. */
const feedDecimals = 8

/** What the addresses of a book are called in sentences. */
export function namesOf({ assets, vaults, contracts }: AddressBook): Names {
  const labels = [
    ...Object.entries(contracts),
    ...[...vaults].map(([symbol, address]) => [`the ${symbol} vault`, address] as const),
  ]
  return {
    token(address) {
      const found = [...assets].find(([, { token }]) => isAddressEqual(token, address))
      return found && { symbol: found[0], decimals: found[1].scale - feedDecimals }
    },
    label: (address) => labels.find(([, known]) => known && isAddressEqual(known, address))?.[0],
  }
}
