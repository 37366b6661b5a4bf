import { type Address, zeroAddress } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import { BardoError } from '../errors/BardoError.ts'
import { anyDelegate, type Delegation, rootAuthority } from './delegation.ts'

/** What a root delegation is made of. */
export type RootDelegation = {
  /** The delegator is the account that these terms measure: the two cannot differ. */
  readonly terms: CageTerms
  /** Where the Cage's enforcer stands. */
  readonly cageEnforcer: Address
  /** The session key, or the session account. */
  readonly delegate: Address
  readonly salt: bigint
}

/**
 * The least that an owner signs for a Golem: one delegation with one Cage in it. It is unsigned.
 *
 * @example
 * rootDelegation({ terms: toCageTerms(plan, book, subject), cageEnforcer, delegate: sessionKey, salt: 1n })
 */
export function rootDelegation({ terms, cageEnforcer, delegate, salt }: RootDelegation): Delegation {
  const { account } = terms.mandate
  const nobody = [account, anyDelegate, zeroAddress].map((address) => address.toLowerCase())
  if (nobody.includes(delegate.toLowerCase())) {
    throw new BardoError('A root delegation goes to one key or account that is not the owner’s.', {
      code: 'INVALID_INPUT',
      details: [`it goes to ${delegate}`, `the account is ${account}`, `${anyDelegate} stands for anybody`],
      docsPath: 'permissions.md#what-is-signed',
    })
  }
  if (terms.classes === 0) {
    throw new BardoError('There is nothing to sign: these terms allow no action at all.', {
      code: 'INVALID_INPUT',
      remedy: 'Let the Golem watch without a delegation, or let the strategy ask for something.',
      docsPath: 'permissions.md#what-is-signed',
    })
  }
  return {
    delegate,
    delegator: account,
    authority: rootAuthority,
    caveats: [{ enforcer: cageEnforcer, terms: cage.encode(terms), args: '0x' }],
    salt,
    signature: '0x',
  }
}
