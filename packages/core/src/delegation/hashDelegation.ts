import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import type { CryptoEngine } from '../crypto/cryptoEngine.ts'
import type { Delegation } from './delegation.ts'

/** A hash function on bytes. */
export type Keccak = CryptoEngine['keccak256']

const delegationTypehash = hexToBytes('0x88c1d2ecf185adf710588203a5f263f0ff61be0d33da39792cde19ba9aa4331e')
const caveatTypehash = hexToBytes('0x80ad7e1b04ee6d994a125f4714ca0720908bd80ed16063ec8aee4b88e9253e2d')

/**
 * The delegation's EIP-712 struct hash: its identifier in the manager, in links and in enforcers' rows.
 *
 * @example
 * const hash = hashDelegation(delegation)
 * const isDisabled = await manager.read.disabledDelegations([hash])
 */
export function hashDelegation(delegation: Delegation, keccak: Keccak = keccak_256): Hex {
  return bytesToHex(delegationStructHash(delegation, keccak))
}

/** The same as bytes. */
export function delegationStructHash(delegation: Delegation, keccak: Keccak): Uint8Array {
  const { delegate, delegator, authority, caveats, salt } = delegation
  const hashes = new Uint8Array(32 * caveats.length)
  caveats.forEach(({ enforcer, terms }, i) => {
    const words = [caveatTypehash, hexToBytes(enforcer), keccak(hexToBytes(terms))]
    hashes.set(keccak(wordsOf(words)), 32 * i)
  })
  const salted = hexToBytes(`0x${salt.toString(16).padStart(64, '0')}`)
  const fields = [hexToBytes(delegate), hexToBytes(delegator), hexToBytes(authority), keccak(hashes), salted]
  return keccak(wordsOf([delegationTypehash, ...fields]))
}

/** Concatenates words of 32 bytes; shorter values are right-aligned. */
function wordsOf(words: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(32 * words.length)
  words.forEach((word, i) => {
    bytes.set(word, 32 * (i + 1) - word.length)
  })
  return bytes
}
