import type { Address, Hash } from 'viem'

/** The owner's permission to move a Golem back to an earlier phase, once. */
export type PhaseReset = {
  readonly golem: Hash
  /** 0 Thriving to 4 Terminal. */
  readonly phase: number
  /** The count of the owner's signatures that GolemVitals has taken for this Golem. */
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
}

/**
 * The typed data with which an owner resets a Golem's phase. GolemVitals verifies it; any account may submit it.
 *
 * @example
 * const reset = { golem, phase: 0, nonce: 0n, deadline: now + 3_600n }
 * const signature = await owner.signTypedData(phaseResetTypedData(8453, golemVitals, reset))
 */
export function phaseResetTypedData(chainId: number, golemVitals: Address, reset: PhaseReset) {
  return {
    domain: { name: 'GolemVitals', version: '1', chainId, verifyingContract: golemVitals },
    types: {
      ResetPhase: [
        { name: 'golem', type: 'bytes32' },
        { name: 'phase', type: 'uint8' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'ResetPhase',
    message: reset,
  } as const
}
