import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Asset } from '../../caveats/terms/mandate.ts'
import { protocols } from '../../deployments/protocols.ts'
import { BardoError } from '../../errors/BardoError.ts'
import type { AddressBook } from '../toCageTerms.ts'
import { type BookEntry, bookEntries, entryName } from './bookEntries.ts'
import { builtInBook } from './builtInBook.ts'

/** What an owner adds to the built-in book of a chain. */
export type AddedEntries = Pick<
  AddressBook,
  'assets' | 'pools' | 'vaults' | 'contracts' | 'sale' | 'native'
> & {
  /** `none`: the owner accepts prices on a rollup for which no sequencer feed is built in. */
  readonly sequencerFeed?: Address | 'none'
}

/**
 * The built-in address book of a chain with the entries that an owner adds. Throws if an entry contradicts a built-in one:
 * an address book must not replace a token or a router. A price may be required to be more recent, not less.
 *
 * @example
 * mergeBook(8453, { assets: new Map(), pools: new Map(), vaults: new Map([['USDC', vault]]), contracts: {} })
 */
export function mergeBook(chainId: number, { sequencerFeed, ...added }: AddedEntries): AddressBook {
  const base = builtInBook(chainId)
  const own: AddressBook = {
    ...added,
    ...(sequencerFeed !== undefined && sequencerFeed !== 'none' && { sequencerFeed }),
  }
  const entries = bookEntries(own, chainId)
  const problems = [
    ...entries.flatMap((entry) => contradiction(entry, chainId)),
    ...[...own.assets].flatMap(([symbol, asset]) => looser(symbol, asset, base.assets.get(symbol))),
    ...(own.native ? looser('the native currency', own.native, base.native) : []),
    ...(sequencerFeed === 'none' && base.sequencerFeed
      ? [`sequencer feed: "none", built in ${base.sequencerFeed}`]
      : []),
  ]
  if (problems.length > 0)
    throw new BardoError('The address book contradicts the built-in addresses of this chain.', {
      code: 'CONFIG_INVALID',
      details: problems,
      remedy:
        'Remove these entries. The file may add entries under other names, but not replace a built-in one.',
      docsPath: 'address-book.md',
    })
  const unverified = entries.flatMap(({ address, source }) => (source === undefined ? [address] : []))
  return {
    ...base,
    ...own,
    assets: new Map([...base.assets, ...own.assets]),
    pools: new Map([...base.pools, ...own.pools]),
    vaults: new Map([...base.vaults, ...own.vaults]),
    contracts: { ...base.contracts, ...own.contracts },
    ...(sequencerFeed === 'none' && { acceptsNoSequencerFeed: true }),
    ...(unverified.length > 0 && { unverified }),
  }
}

/** A name that differs only in its case is the same name: `usdc` must not stand beside `USDC`. */
function contradiction({ type, name, address }: BookEntry, chainId: number): readonly string[] {
  const known = protocols[chainId]?.find(
    (one) => one.type === type && one.name.toLowerCase() === name.toLowerCase(),
  )
  if (!known || (known.name === name && isAddressEqual(known.address, address))) return []
  return [
    `${entryName({ type, name })}: ${address}, built in ${known.name} ${known.address} (${known.source})`,
  ]
}

/** Terms under which a built-in price would count for longer, at par, or at another scale. */
function looser(
  name: string,
  { token, feed, maxAgeSeconds, scale }: Asset,
  builtIn: Asset | undefined,
): readonly string[] {
  if (!builtIn) return []
  return [
    ...(isAddressEqual(feed, builtIn.feed)
      ? []
      : [`price of ${name}: ${feedWords(feed)}, built in ${feedWords(builtIn.feed)} (token ${token})`]),
    ...(maxAgeSeconds <= builtIn.maxAgeSeconds
      ? []
      : [`maxAgeSeconds of ${name}: ${maxAgeSeconds}, built in ${builtIn.maxAgeSeconds}`]),
    ...(scale === builtIn.scale ? [] : [`scale of ${name}: ${scale}, built in ${builtIn.scale}`]),
  ]
}

const feedWords = (feed: Address) => (feed === zeroAddress ? 'at par' : feed)
