import type { Address, Hash, Hex } from 'viem'

/** An owner's permission for one Layer 3 action: its risk, its policy, and the result of a simulation. */
export type ActionPermit = {
  readonly golem: Hash
  readonly action: Hash
  /** 1 to 3. */
  readonly riskTier: number
  readonly policyHash: Hash
  /** Zero if nothing was simulated. */
  readonly simulationHash: Hash
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
}

/** The struct as an EIP-712 type. */
export const actionPermitTypes = {
  ActionPermit: [
    { name: 'golem', type: 'bytes32' },
    { name: 'action', type: 'bytes32' },
    { name: 'riskTier', type: 'uint8' },
    { name: 'policyHash', type: 'bytes32' },
    { name: 'simulationHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint64' },
  ],
} as const

/**
 * The typed data that an owner signs. The domain is "Bardo", which the Snap expects, with the chain and the
 * owner's account.
 *
 * @example
 * const signature = await owner.signTypedData(actionPermitTypedData(permit, 8453, account))
 */
export function actionPermitTypedData(permit: ActionPermit, chainId: number, account: Address) {
  return {
    domain: { name: 'Bardo', version: '1', chainId, verifyingContract: account },
    types: actionPermitTypes,
    primaryType: 'ActionPermit',
    message: permit,
  } as const
}

/**
 * Why a permit does not cover an action at this moment; undefined if it does. The signature is checked
 * elsewhere.
 *
 * @example
 * actionPermitRefusal(permit, { action, riskTier: 2, policyHash, now }) // undefined: it is covered
 */
export function actionPermitRefusal(
  permit: ActionPermit,
  { action, riskTier, policyHash, now }: { action: Hex; riskTier: number; policyHash: Hex; now: bigint },
): 'action' | 'riskTier' | 'policy' | 'deadline' | undefined {
  if (permit.action.toLowerCase() !== action.toLowerCase()) return 'action'
  if (!(permit.riskTier >= riskTier)) return 'riskTier'
  if (permit.policyHash.toLowerCase() !== policyHash.toLowerCase()) return 'policy'
  return now > permit.deadline ? 'deadline' : undefined
}
