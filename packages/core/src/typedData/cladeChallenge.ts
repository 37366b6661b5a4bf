import type { Address, Hash } from 'viem'

/** What one Golem signs to show another who it is. */
export type CladeChallenge = {
  readonly nonce: Hash
  /** Unix seconds. */
  readonly issuedAt: bigint
  readonly expiresAt: bigint
  /** The Golem that asked: a signature for one is worth nothing to another. */
  readonly target: Address
}

/** Longest life of a challenge: 5 minutes. Origin: spec 002 §5.2, the session token's; it names none for challenges. */
const longestChallengeSeconds = 300n

/** The struct as EIP-712 types it. */
export const cladeChallengeTypes = {
  CladeChallenge: [
    { name: 'nonce', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expiresAt', type: 'uint64' },
    { name: 'target', type: 'address' },
  ],
} as const

/** What a Golem signs with its wallet key. */
export function cladeChallengeTypedData(challenge: CladeChallenge, chainId: number) {
  return {
    domain: { name: 'Bardo', version: '1', chainId },
    types: cladeChallengeTypes,
    primaryType: 'CladeChallenge',
    message: challenge,
  } as const
}

/** Why a challenge is not good here and now; undefined if it is. Whoever asks keeps used nonces. */
export function cladeChallengeRefusal(
  { issuedAt, expiresAt, target }: CladeChallenge,
  { me, now }: { me: Address; now: bigint },
): 'target' | 'notYet' | 'expired' | 'tooLong' | undefined {
  if (target.toLowerCase() !== me.toLowerCase()) return 'target'
  if (now < issuedAt) return 'notYet'
  if (now > expiresAt) return 'expired'
  return expiresAt - issuedAt > longestChallengeSeconds ? 'tooLong' : undefined
}
