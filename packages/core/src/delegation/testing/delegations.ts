import { type Address, type Hex, numberToHex } from 'viem'
import { type Caveat, type Delegation, rootAuthority } from '../delegation.ts'

/** A made-up address for a number. */
export function addressOf(number: number): Address {
  return numberToHex(number + 0xb0b0000, { size: 20 })
}

/** 65 bytes with the shape of a signature. */
export const signature: Hex = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`

/** A delegation from one made-up account to another. */
export function delegate(
  from: number,
  to: number,
  caveats: readonly (readonly [enforcer: Address, terms: Hex])[] = [],
  authority: Hex = rootAuthority,
  salt = 0n,
): Delegation {
  return {
    delegator: addressOf(from),
    delegate: addressOf(to),
    authority,
    caveats: caveats.map(([enforcer, terms]): Caveat => ({ enforcer, terms, args: '0x' })),
    salt,
    signature,
  }
}
