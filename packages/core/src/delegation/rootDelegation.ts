import { type Address, zeroAddress } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import { BardoError } from '../errors/BardoError.ts'
import { anyDelegate, type Delegation, rootAuthority } from './delegation.ts'

/** The parts of a root delegation. */
export type RootDelegation = {
  /** The delegator is always the account that these terms measure. */
  readonly terms: CageTerms
  /** The address of the Cage's version 2 enforcer. */
  readonly cageEnforcer: Address
  /** The session key, or the session account. */
  readonly delegate: Address
  readonly salt: bigint
}

/**
 * The minimum that an owner signs for a Golem: one unsigned delegation with one Cage. Its terms are always
 * version 2, whatever version the limits were read from: a Golem moves to version 2 with the next root that
 * its owner signs.
 *
 * @example
 * rootDelegation({ terms: toCageTerms(plan, book, subject), cageEnforcer, delegate: sessionKey, salt: 1n })
 */
export function rootDelegation({ terms, cageEnforcer, delegate, salt }: RootDelegation): Delegation {
  const { account } = terms.mandate
  const forbidden = [account, anyDelegate, zeroAddress].map((address) => address.toLowerCase())
  if (forbidden.includes(delegate.toLowerCase())) {
    throw new BardoError(
      'The delegate of a root delegation must be one key or account other than the owner’s.',
      {
        code: 'INVALID_INPUT',
        details: [
          `the delegate is ${delegate}`,
          `the account is ${account}`,
          `${anyDelegate} means any account`,
        ],
        docsPath: 'permissions.md#what-is-signed',
      },
    )
  }
  if (terms.classes === 0) {
    throw new BardoError('There is nothing to sign: these terms allow no action.', {
      code: 'INVALID_INPUT',
      remedy: 'Run the Golem in observe-only mode without a delegation, or add an action to the strategy.',
      docsPath: 'permissions.md#what-is-signed',
    })
  }
  return {
    delegate,
    delegator: account,
    authority: rootAuthority,
    caveats: [{ enforcer: cageEnforcer, terms: cage.encode({ ...terms, version: 2 }, 2), args: '0x' }],
    salt,
    signature: '0x',
  }
}
