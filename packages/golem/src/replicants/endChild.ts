import { isDisabled } from '@bardo/chain'
import { BardoError, type Delegation, encodeDisable, hashDelegation } from '@bardo/core'
import { type Hash, isAddressEqual } from 'viem'
import { fileRequest } from '../events/fileRequest.ts'
import { markChild, returnShare } from '../funding/returnShare.ts'
import { findRunway } from '../funding/storedRunway.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { changeFamily } from '../state/storedFamily.ts'
import { findObstacle } from '../submission/findObstacle.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'

/**
 * How a child was ended: on the chain by its parent's key; by a request to the owner if that key cannot; or not at
 * all, because a rotation replaced the only key that can disable the child's delegation. In the last two cases the
 * child must surrender with its own key.
 */
export type EndedChild = 'disabled' | 'asked' | 'keyReplaced'

/**
 * Ends one child and no other. The key that signed the child's delegation can disable it; without that key a
 * request asks the owner to revoke it. The child finds out at its next tick, and dies.
 */
export async function endChild(
  { id, store, client, deployment }: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  child: Hash,
): Promise<EndedChild> {
  const intentId = `${id}:replicant:${child}:end`
  const family = await changeFamily(store, id, async (before) =>
    markChild({ permission, child }, before, 'ending'),
  )
  const { delegation } = (await store.delegations.list(child)).at(0) ?? {}
  if (!delegation || !family.replicants.some((one) => one.id === child)) throw unknown(child)
  const share = (await findRunway(store, child))?.handedOn.at(-1)
  const isOff = (link: Delegation) => isDisabled({ client, deployment }, link)
  if (!(await isOff(delegation)) || (share && !(await isOff(share)))) {
    try {
      if (!(await isOff(delegation)) && !(await disable(delegation, intentId))) return 'keyReplaced'
      // Its part of the runway only pays the owner's own account; it ends too, so that the parent can draw it.
      if (share && !(await isOff(share))) await disable(share, `${intentId}:runway`)
    } catch (error) {
      if (findObstacle(error) === undefined) throw error
      const body = { because: 'its parent', delegations: [hashDelegation(delegation)] }
      const request = { id: intentId, golem: child, kind: 'revoke', body } as const
      await store.transaction((transaction) => fileRequest(transaction, request))
      return 'asked'
    }
  }
  const { timestamp } = await client.getBlock()
  await returnShare(store, { parent: id, child, permission }, timestamp)
  return 'disabled'

  /** False if the parent's key is not the one that signed the child's delegation. */
  async function disable(delegation: Delegation, intent: string): Promise<boolean> {
    const submitter = await openSubmitter()
    if (!isAddressEqual(submitter.address, delegation.delegator)) return false
    const to = deployment.framework.DelegationManager
    const request = { id: intent, to, data: encodeDisable(delegation) }
    const { status, hash } = await submitOnce(store.journal, submitter, request)
    if (status === 'success') return true
    throw new BardoError('The DelegationManager refused to disable the Replicant’s delegation.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  }
}

function unknown(child: Hash): BardoError {
  return new BardoError('Unknown Replicant.', {
    code: 'INVALID_INPUT',
    details: [child],
    docsPath: 'golem.md#replicants',
  })
}
