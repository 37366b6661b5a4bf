import {
  BardoError,
  type CustodyEvent,
  type Delegation,
  hashDelegation,
  type SessionKeyEvent,
} from '@bardo/core'
import { type Address, isAddressEqual, keccak256, type PublicClient } from 'viem'
import { managerAbi } from '../accounts/abi.ts'
import type { SmartAccount } from '../accounts/smartAccount.ts'
import type { Deployment } from '../deployments/deployment.ts'
import type { Call } from '../redemption/encodeExecution.ts'
import { encodeRedemption } from '../redemption/encodeRedemption.ts'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import { encodeDisable, signVeto } from './signVeto.ts'

/** An owner at their key: the account they own, and a way to send that key's transactions. */
export type OwnerDesk = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly account: SmartAccount
  /** The owner's key. Of an upgraded EOA that is the account itself. */
  readonly key: Address
  readonly submitter: Submitter
  readonly onEvent?: (event: CustodyEvent | SessionKeyEvent) => void
}

/** What a revocation came to. `already`: somebody has revoked it before. */
export type Revoked = { readonly is: 'revoked'; readonly landed: Landed } | { readonly is: 'already' }

/**
 * Ends a delegation and everything below it, in one plain transaction of the owner's key: no bundler, no server, no
 * Golem has to be there. Nothing that was ever delegated can undo it.
 *
 * @example
 * await revoke(desk, { delegation: root, cause: 'owner' })
 */
export async function revoke(
  desk: OwnerDesk,
  {
    delegation,
    cause,
    veto,
  }: {
    readonly delegation: Delegation
    readonly cause: string
    /** One that was signed ahead; without it one is signed now. */
    readonly veto?: Delegation
  },
): Promise<Revoked> {
  const hash = hashDelegation(delegation)
  if (await isDisabled(desk, delegation)) return { is: 'already' }
  const landed = await land(desk, delegation, await revocationCall(desk, delegation, veto))
  const { timestamp: at } = await desk.client.getBlock({ blockNumber: landed.blockNumber })
  desk.onEvent?.({ name: 'custody.delegationRevoked', delegationHash: hash, cause })
  desk.onEvent?.({ name: 'sessionKey.revoked', cause: { kind: 'revoked', transaction: landed.hash, at } })
  return { is: 'revoked', landed }
}

/**
 * Carries on with what is on its way, and sends it anew where every earlier time came to nothing: the owner's wallet took
 * the nonce, it was called off, it reverted, or the account has enabled the delegation again.
 */
async function land(desk: OwnerDesk, delegation: Delegation, call: RevocationCall): Promise<Landed> {
  const hash = hashDelegation(delegation)
  const id = `revoke-${desk.deployment.chainId}-${hash}-${keccak256(call.data)}`
  for (let time = 1; ; time += 1) {
    let isNew = false
    const check = async () => {
      isNew = true
    }
    const landed = await desk.submitter.submit({ id: `${id}-${time}`, ...call, check }).catch((error) => {
      if (isNew || !cameToNothing(error)) throw error
      return undefined
    })
    if (!landed) continue
    if ((landed.status === 'success' && isNew) || (await isDisabled(desk, delegation))) return landed
    if (isNew)
      throw new BardoError('The revocation landed and was refused.', {
        code: 'TRANSACTION_REVERTED',
        outcome: 'landed',
        details: [`delegation ${hash}`, `transaction ${landed.hash}`],
        remedy: 'Revoke again with a veto that the account’s key signs now.',
      })
  }
}

function cameToNothing(error: unknown): boolean {
  return error instanceof BardoError && (error.code === 'NONCE_TAKEN' || error.code === 'INTENT_CLOSED')
}

type RevocationCall = Required<Pick<Call, 'to' | 'data'>>

/** The transaction that revokes, for the owner's key to send: from here, or from a wallet behind a page. */
export async function revocationCall(
  { account, key, deployment }: Pick<OwnerDesk, 'account' | 'key' | 'deployment'>,
  delegation: Delegation,
  veto?: Delegation,
): Promise<RevocationCall> {
  const to = deployment.framework.DelegationManager
  if (!isAddressEqual(delegation.delegator, account.address))
    throw new BardoError('Only its delegator revokes a delegation.', {
      code: 'INVALID_INPUT',
      details: [`it is of ${delegation.delegator}`, `the account is ${account.address}`],
    })
  const data = encodeDisable(delegation)
  if (account.kind === 'upgraded') return { to, data }
  const signed = veto ?? (await signVeto(account, { key, revoking: delegation }))
  return { to, data: encodeRedemption([{ links: [signed], calls: [{ to, data }] }]) }
}

/** Whether the chain says that a delegation is revoked. */
export function isDisabled(
  { client, deployment }: Pick<OwnerDesk, 'client' | 'deployment'>,
  delegation: Delegation,
): Promise<boolean> {
  return client.readContract({
    address: deployment.framework.DelegationManager,
    abi: managerAbi,
    functionName: 'disabledDelegations',
    args: [hashDelegation(delegation)],
  })
}
