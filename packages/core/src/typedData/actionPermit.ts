import type { Address, Hash, Hex } from 'viem'

/** An owner's word for one Layer 3 action: what it risks, under which policy, and what a simulation showed. */
export type ActionPermit = {
  readonly golem: Hash
  readonly action: Hash
  /** 1 to 3. */
  readonly riskTier: number
  readonly policyHash: Hash
  /** Zero where nothing was simulated. */
  readonly simulationHash: Hash
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: bigint
}

/** The struct as EIP-712 types it. */
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

/** What an owner signs. The domain is "Bardo", which the Snap looks for, and names the chain and the owner's account. */
export function actionPermitTypedData(permit: ActionPermit, chainId: number, account: Address) {
  return {
    domain: { name: 'Bardo', version: '1', chainId, verifyingContract: account },
    types: actionPermitTypes,
    primaryType: 'ActionPermit',
    message: permit,
  } as const
}

/** Why a permit does not cover an action at this moment; undefined if it does. The signature is checked elsewhere. */
export function actionPermitRefusal(
  permit: ActionPermit,
  { action, riskTier, policyHash, now }: { action: Hex; riskTier: number; policyHash: Hex; now: bigint },
): 'action' | 'riskTier' | 'policy' | 'deadline' | undefined {
  if (permit.action.toLowerCase() !== action.toLowerCase()) return 'action'
  if (!(permit.riskTier >= riskTier)) return 'riskTier'
  if (permit.policyHash.toLowerCase() !== policyHash.toLowerCase()) return 'policy'
  return now > permit.deadline ? 'deadline' : undefined
}
