import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import type { SignedPermission } from './signedPermission.ts'

/**
 * A contract of a signed permission, by its address or a name such as `swapRouter02` and `vault USDC`. Throws if the
 * permission does not have it.
 */
export function targetNamed(
  { book, terms }: Pick<SignedPermission, 'book' | 'terms'>,
  name: string,
): Address {
  const known = [
    ...Object.entries(book.contracts),
    ...[...book.vaults].map(([asset, address]) => [`vault ${asset}`, address] as const),
    ...[...book.pools].map(([assets, address]) => [`pool ${assets}`, address] as const),
  ]
  const signed = terms.mandate.targets.map(({ address }) => [address, address] as const)
  const found = [...known, ...signed].find(([label, address]) =>
    [label, address].some((one) => one.toLowerCase() === name.trim().toLowerCase()),
  )
  if (found) return found[1]
  throw new BardoError('The permission does not include this contract.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [name, `contracts: ${known.map(([label]) => label).join(', ')}`],
    remedy: 'Name only contracts of this list.',
    docsPath: 'golem.md#another-golem',
  })
}
