import { existsSync, readFileSync } from 'node:fs'
import { type AddedEntries, type AddressBook, BardoError, mergeBook } from '@bardo/core'
import { isAddress, zeroAddress } from 'viem'
import { z } from 'zod'

const address = z.string().refine((text) => isAddress(text), 'is not an address, or its checksum is wrong')
const places = z.record(z.string(), address)
const asset = z.strictObject({
  token: address,
  feed: address,
  maxAgeSeconds: z.int().min(0),
  scale: z.int().min(0),
})
const bookSchema = z.strictObject({
  assets: z.record(z.string(), asset).default({}),
  /** The native currency; without it, no gas is signed. */
  native: asset
    .refine(({ token }) => token === zeroAddress, 'token must be the zero address')
    .exactOptional(),
  /** The method that sells knowledge. */
  sale: z
    .strictObject({ address, selector: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{8}$/)]) })
    .exactOptional(),
  /** The methods that publish, by the names that strategies use. */
  publishers: z
    .record(
      z.string().regex(/^[A-Z][A-Z0-9_-]*$/),
      z.strictObject({ address, selector: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{8}$/)]) }),
    )
    .exactOptional(),
  pools: places.default({}),
  vaults: places.default({}),
  contracts: z
    .strictObject({
      swapRouter02: address.exactOptional(),
      universalRouter: address.exactOptional(),
      permit2: address.exactOptional(),
      positionManager: address.exactOptional(),
    })
    .default({}),
  /** `none`: the owner accepts prices on a rollup for which no feed is built in. */
  sequencerFeed: address.or(z.literal('none')).exactOptional(),
})

/**
 * The address book of a chain: the built-in one, and what the operator's file adds. Without the file, it is the built-in
 * one.
 */
export function bookOn(chainId: number, file: string): AddressBook {
  const nothing: AddedEntries = { assets: new Map(), pools: new Map(), vaults: new Map(), contracts: {} }
  return mergeBook(chainId, existsSync(file) ? readBook(file) : nothing)
}

/** What an operator's file adds to the address book of a chain: tokens, price feeds, pools and vaults for strategies. */
export function readBook(file: string): AddedEntries {
  const parsed = bookSchema.safeParse(parse(file))
  if (!parsed.success)
    throw unusable(
      file,
      parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')} ${message}`),
    )
  const { assets, pools, vaults, publishers, ...rest } = parsed.data
  return {
    ...rest,
    ...(publishers && { publishers: new Map(Object.entries(publishers)) }),
    assets: new Map(Object.entries(assets)),
    pools: new Map(Object.entries(pools)),
    vaults: new Map(Object.entries(vaults)),
  }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw unusable(file, [
      error instanceof SyntaxError
        ? 'the file is not valid JSON'
        : 'the file does not exist or is not readable',
    ])
  }
}

function unusable(file: string, details: readonly string[]): BardoError {
  return new BardoError('The address book of this chain cannot be used.', {
    code: 'CONFIG_INVALID',
    details: [file, ...details],
    remedy: 'Correct the file. It needs only what is not built in; bardo book shows the book of the chain.',
    docsPath: 'address-book.md',
  })
}
