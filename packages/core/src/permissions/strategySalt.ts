import { hexToBigInt, keccak256, stringToHex } from 'viem'

/** The low bits of a salt are a counter; the bits above are the strategy's hash. */
const countBits = 64n

/**
 * The salt of a root delegation: 192 bits of the strategy's hash, then a counter that makes each signature a
 * distinct delegation. The owner signs the salt, so the signature also covers the text that the limits came
 * from.
 *
 * @example
 * rootDelegation({ terms, cageEnforcer, delegate, salt: strategySalt(strategy, now) })
 */
export function strategySalt(strategy: string, count: bigint): bigint {
  const hash = hexToBigInt(keccak256(stringToHex(strategy)))
  return ((hash >> countBits) << countBits) | BigInt.asUintN(Number(countBits), count)
}

/**
 * Whether a salt was signed for this text. A salt below 2^64 names no text: version 0.1 used the time as
 * salt, so any text matches.
 *
 * @example
 * isSaltOf(strategySalt(strategy, 1n), strategy) // true
 */
export function isSaltOf(salt: bigint, strategy: string): boolean {
  const bound = salt >> countBits
  return bound === 0n || bound === strategySalt(strategy, 0n) >> countBits
}

/**
 * A counter that no earlier signature used: one more than the old one if the time has not advanced.
 *
 * @example
 * nextCount(1_800_000_000n, 1_800_000_000n) // 1800000001n
 */
export function nextCount(oldSalt: bigint, now: bigint): bigint {
  const old = BigInt.asUintN(Number(countBits), oldSalt)
  return now > old ? now : old + 1n
}
