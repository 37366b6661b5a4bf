import {
  BardoError,
  type CustodyEvent,
  type Delegation,
  hashDelegation,
  managerAbi,
  type OwnedAccount,
  type OwnerCall,
  revocationCall,
  type SessionKeyEvent,
} from '@bardo/core'
import { type Hash, keccak256, type PublicClient } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'

/** An owner with their key: the account they own, and a submitter for the key's transactions. */
export type OwnerSigner = OwnedAccount & {
  readonly client: PublicClient
  readonly submitter: Submitter
  readonly onEvent?: (event: CustodyEvent | SessionKeyEvent) => void
}

/** The result of a revocation. `already`: the delegation was revoked before. */
export type Revoked = { readonly type: 'revoked'; readonly landed: Landed } | { readonly type: 'already' }

/**
 * Revokes a delegation and everything below it, in one transaction of the owner's key. It needs no bundler,
 * no server and no running Golem, and no delegate can undo it.
 *
 * @example
 * await revoke(signer, { delegation: root, cause: 'owner' })
 */
export async function revoke(
  signer: OwnerSigner,
  {
    delegation,
    cause,
    veto,
  }: {
    readonly delegation: Delegation
    readonly cause: string
    /** A veto that was signed in advance. Without it, one is signed now. */
    readonly veto?: Delegation
  },
): Promise<Revoked> {
  const hash = hashDelegation(delegation)
  if (await isDisabled(signer, delegation)) return { type: 'already' }
  const landed = await land(signer, delegation, await revocationCall(signer, delegation, veto))
  if (!landed) return { type: 'already' }
  const { blockNumber } = landed
  // Report success only if the chain shows it: a veto that disables another delegation succeeds too.
  if (!(await isDisabled(signer, delegation, blockNumber))) throw stillEnabled(hash, landed)
  const { timestamp: at } = await signer.client.getBlock({ blockNumber })
  signer.onEvent?.({ name: 'custody.delegationRevoked', delegationHash: hash, cause })
  signer.onEvent?.({ name: 'sessionKey.revoked', cause: { kind: 'revoked', transaction: landed.hash, at } })
  return { type: 'revoked', landed }
}

function stillEnabled(delegation: Hash, { hash }: Landed): BardoError {
  return new BardoError('The revocation landed, but the delegation is still enabled.', {
    code: 'GRANT_STANDS',
    outcome: 'landed',
    details: [`delegation ${delegation}`, `transaction ${hash}`],
    remedy: 'Revoke it again with a veto that the account’s key signs now.',
  })
}

/**
 * Continues a pending revocation, and sends a new one if every earlier one failed: the owner's wallet used
 * the nonce, the intent was cancelled, it reverted, or the account has enabled the delegation again.
 * Undefined if another transaction revoked the delegation meanwhile.
 */
async function land(
  signer: OwnerSigner,
  delegation: Delegation,
  call: OwnerCall,
): Promise<Landed | undefined> {
  const hash = hashDelegation(delegation)
  const id = `revoke-${signer.deployment.chainId}-${hash}-${keccak256(call.data)}`
  for (let time = 1; ; time += 1) {
    let isNew = false
    const check = async () => {
      isNew = true
    }
    let landed: Landed
    try {
      landed = await signer.submitter.submit({ id: `${id}-${time}`, ...call, check })
    } catch (error) {
      if (!isNew && hasFailed(error)) continue
      if (wasNotSent(error) && (await isDisabled(signer, delegation))) return undefined
      throw error
    }
    const isDone = landed.status === 'success'
    if (isDone && isNew) return landed
    if (await isDisabled(signer, delegation)) return isDone ? landed : undefined
    if (isNew)
      throw new BardoError('The revocation landed, but it reverted.', {
        code: 'TRANSACTION_REVERTED',
        outcome: 'landed',
        details: [`delegation ${hash}`, `transaction ${landed.hash}`],
        remedy: 'Revoke again with a veto that the account’s key signs now.',
      })
  }
}

function hasFailed(error: unknown): boolean {
  return error instanceof BardoError && (error.code === 'NONCE_TAKEN' || error.code === 'INTENT_CLOSED')
}

function wasNotSent(error: unknown): boolean {
  return error instanceof BardoError && error.outcome === 'not-sent'
}

/** Whether a delegation is revoked on chain. */
export function isDisabled(
  { client, deployment }: Pick<OwnerSigner, 'client' | 'deployment'>,
  delegation: Delegation,
  /** Default: the newest block. */
  blockNumber?: bigint,
): Promise<boolean> {
  return client.readContract({
    address: deployment.framework.DelegationManager,
    abi: managerAbi,
    functionName: 'disabledDelegations',
    args: [hashDelegation(delegation)],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}
