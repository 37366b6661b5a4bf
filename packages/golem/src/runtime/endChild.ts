import { encodeDisable } from '@bardo/chain'
import { BardoError, type Delegation, hashDelegation } from '@bardo/core'
import type { Hash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import { endReplicant, ownDailyCents } from '../replicants/family.ts'
import type { Charter } from './charter.ts'
import type { Desk } from './createDesk.ts'
import { fileRequest } from './fileRequest.ts'
import type { GolemParts } from './golemParts.ts'
import { hindranceOf } from './hindranceOf.ts'
import { familyOf } from './livelihood.ts'
import { changeFamily, type StoredFamily } from './storedFamily.ts'
import { submitOnce } from './submitOnce.ts'

/** How a child was ended: on the chain by its parent's key, or by asking the owner where that key cannot. */
export type EndedChild = 'disabled' | 'asked'

/**
 * Ends one child and nobody else. The parent's key is the delegator of the child's delegation, a plain key, and so may
 * disable it itself; without that key the owner is asked to deregister the child's row. The child finds out at its next
 * tick, and dies.
 */
export async function endChild(
  { id, store, client, deployment }: GolemParts,
  charter: Charter,
  openDesk: () => Promise<Desk>,
  child: Hash,
): Promise<EndedChild> {
  const intentId = `${id}:replicant:${child}:end`
  const family = await changeFamily(store, id, async (before) => marked(before, 'ending'))
  const { delegation } = (await store.delegations.list(child)).at(0) ?? {}
  if (!delegation || !family.replicants.some((one) => one.id === child)) throw unknown(child)
  try {
    await disable(delegation)
  } catch (error) {
    if (hindranceOf(error) === undefined) throw error
    const body = { because: 'its parent', delegations: [hashDelegation(delegation)] }
    await fileRequest(store, { id: intentId, golem: child, kind: 'revoke', body })
    return 'asked'
  }
  const { timestamp } = await client.getBlock()
  await changeFamily(store, id, async (before, { record }) => {
    const after = marked(before, 'ended')
    const parentDailyCents = ownDailyCents(familyOf(charter, after), timestamp)
    const told = { name: 'replicant.ended', replicant: child, parentDailyCents } as const
    const isNew = before.replicants.some((one) => one.id === child && one.status !== 'ended')
    if (isNew) record([{ golem: id, name: told.name, body: eventToJson(told) }])
    return after
  })
  return 'disabled'

  async function disable(delegation: Delegation): Promise<void> {
    const { submitter } = await openDesk()
    const to = deployment.framework.DelegationManager
    const wish = { id: intentId, to, data: encodeDisable(delegation) }
    const { status, hash } = await submitOnce(store.journal, submitter, wish)
    if (status === 'success') return
    throw new BardoError('The manager refused to disable the child’s delegation.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  }

  function marked(family: StoredFamily, status: 'ending' | 'ended'): StoredFamily {
    const { replicants } = endReplicant(familyOf(charter, family), child, status)
    const statusOf = (one: Hash) => replicants.find((other) => other.id === one)?.status
    return {
      ...family,
      replicants: family.replicants.map((one) => ({ ...one, status: statusOf(one.id) ?? one.status })),
    }
  }
}

function unknown(child: Hash): BardoError {
  return new BardoError('There is no such child.', {
    code: 'INVALID_INPUT',
    details: [child],
    docsPath: 'golem.md#replicants',
  })
}
