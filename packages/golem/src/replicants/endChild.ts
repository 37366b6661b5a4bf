import { BardoError, type Delegation, encodeDisable, hashDelegation } from '@bardo/core'
import type { Hash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import { familyOf } from '../funding/readFunding.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { fileRequest } from '../requests/fileRequest.ts'
import { endReplicant, ownDailyCents } from '../state/family.ts'
import { changeFamily, type StoredFamily } from '../state/storedFamily.ts'
import { findObstacle } from '../submission/findObstacle.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'

/**
 * How a child was ended: on the chain by its parent's key, or by a request to the owner if that key cannot.
 */
export type EndedChild = 'disabled' | 'asked'

/**
 * Ends one child and no other. The parent's key is the delegator of the child's delegation, and can disable
 * it; without that
 * key a request asks the owner to revoke it. The child finds out at its next tick, and dies.
 */
export async function endChild(
  { id, store, client, deployment }: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  child: Hash,
): Promise<EndedChild> {
  const intentId = `${id}:replicant:${child}:end`
  const family = await changeFamily(store, id, async (before) => marked(before, 'ending'))
  const { delegation } = (await store.delegations.list(child)).at(0) ?? {}
  if (!delegation || !family.replicants.some((one) => one.id === child)) throw unknown(child)
  try {
    await disable(delegation)
  } catch (error) {
    if (findObstacle(error) === undefined) throw error
    const body = { because: 'its parent', delegations: [hashDelegation(delegation)] }
    await fileRequest(store, { id: intentId, golem: child, kind: 'revoke', body })
    return 'asked'
  }
  const { timestamp } = await client.getBlock()
  await changeFamily(store, id, async (before, { record }) => {
    const after = marked(before, 'ended')
    const parentDailyCents = ownDailyCents(familyOf(permission, after), timestamp)
    const ended = { name: 'replicant.ended', replicant: child, parentDailyCents } as const
    const isNew = before.replicants.some((one) => one.id === child && one.status !== 'ended')
    if (isNew) record([{ golem: id, name: ended.name, body: eventToJson(ended) }])
    return after
  })
  return 'disabled'

  async function disable(delegation: Delegation): Promise<void> {
    const to = deployment.framework.DelegationManager
    const request = { id: intentId, to, data: encodeDisable(delegation) }
    const { status, hash } = await submitOnce(store.journal, await openSubmitter(), request)
    if (status === 'success') return
    throw new BardoError('The DelegationManager refused to disable the Replicant’s delegation.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  }

  function marked(family: StoredFamily, status: 'ending' | 'ended'): StoredFamily {
    const { replicants } = endReplicant(familyOf(permission, family), child, status)
    const statusOf = (one: Hash) => replicants.find((other) => other.id === one)?.status
    return {
      ...family,
      replicants: family.replicants.map((one) => ({ ...one, status: statusOf(one.id) ?? one.status })),
    }
  }
}

function unknown(child: Hash): BardoError {
  return new BardoError('Unknown Replicant.', {
    code: 'INVALID_INPUT',
    details: [child],
    docsPath: 'golem.md#replicants',
  })
}
