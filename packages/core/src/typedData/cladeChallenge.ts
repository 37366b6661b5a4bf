import type { Address, Hash } from 'viem'

/** What a Golem signs to prove its identity to another Golem. */
export type CladeChallenge = {
  readonly nonce: Hash
  /** Unix seconds. */
  readonly issuedAt: bigint
  readonly expiresAt: bigint
  /** The Golem that asked: the signature is useless to any other. */
  readonly target: Address
}

/** The maximum lifetime of a challenge: 5 minutes, the same as a session token. */
const longestChallengeSeconds = 300n

/** The struct as an EIP-712 type. */
export const cladeChallengeTypes = {
  CladeChallenge: [
    { name: 'nonce', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expiresAt', type: 'uint64' },
    { name: 'target', type: 'address' },
  ],
} as const

/**
 * The typed data that a Golem signs with its wallet key.
 *
 * @example
 * const signature = await golem.signTypedData(cladeChallengeTypedData(challenge, 8453))
 */
export function cladeChallengeTypedData(challenge: CladeChallenge, chainId: number) {
  return {
    domain: { name: 'Bardo', version: '1', chainId },
    types: cladeChallengeTypes,
    primaryType: 'CladeChallenge',
    message: challenge,
  } as const
}

/**
 * Why a challenge is invalid; undefined if it is valid. The verifier must remember used nonces.
 *
 * @example
 * cladeChallengeRefusal(challenge, { me: account, now }) // undefined: it is valid
 */
export function cladeChallengeRefusal(
  { issuedAt, expiresAt, target }: CladeChallenge,
  { me, now }: { me: Address; now: bigint },
): 'target' | 'notYet' | 'expired' | 'tooLong' | undefined {
  if (target.toLowerCase() !== me.toLowerCase()) return 'target'
  if (now < issuedAt) return 'notYet'
  if (now > expiresAt) return 'expired'
  return expiresAt - issuedAt > longestChallengeSeconds ? 'tooLong' : undefined
}
