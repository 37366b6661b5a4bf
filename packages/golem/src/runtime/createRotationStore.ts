import { announceGrant, delegationEnd, type RotationStore } from '@bardo/chain'
import { decodeContext, encodeContext, hashDelegation, type Rotation, rotationSteps } from '@bardo/core'
import { isAddressEqual } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { GolemParts, KeyVault } from './golemParts.ts'
import { grantFor } from './grantRequest.ts'
import { tell } from './summoning.ts'

/**
 * What a rotation keeps, in the store. What a step tells is written with the step itself: once, whoever crashes.
 *
 * @param told - events of the step under way; emptied when they are written
 */
export function createRotationStore(
  { id, store, deployment }: Pick<GolemParts, 'id' | 'store' | 'deployment'>,
  vault: KeyVault,
  told: GolemEvent[],
): RotationStore {
  const delegationOf = async (name: `0x${string}`) => {
    const [key, delegations] = await Promise.all([store.sessionKeys.find(name), store.delegations.list(id)])
    return delegations.findLast(({ delegation }) => key && isAddressEqual(delegation.delegate, key.address))
  }

  return {
    load: store.rotations.load,

    async save(rotation) {
      await tellOfKeys(rotation)
      const isSaved = await store.transaction(async (transaction) => {
        if (!(await transaction.rotations.save(rotation))) return false
        tell(transaction, id, told)
        return true
      })
      told.length = 0
      return isSaved
    },

    makeKey: vault.make,
    keyOf: vault.keyOf,
    wipeKey: store.sessionKeys.wipe,

    async linksOf(name) {
      const found = await delegationOf(name)
      return found ? decodeContext(found.context) : []
    },

    async setLinks(_, links) {
      const [leaf] = links
      if (!leaf) return
      await store.delegations.add({ golem: id, delegation: leaf, context: encodeContext(links) })
      const ends = links.flatMap((link) => delegationEnd(link, deployment) ?? [])
      const expiresAt = ends.toSorted((a, b) => Number(a - b))[0] ?? 0n
      announceGrant({ deployment, onEvent: (event) => told.push(event) }, leaf, expiresAt)
    },

    /** One transaction: there is no moment with two keys in use, and none without one. */
    async activate({ from, to }) {
      const [old, next] = [await delegationOf(from), await delegationOf(to)]
      await store.transaction(async ({ sessionKeys, delegations }) => {
        await sessionKeys.advance(from, 'retired')
        await sessionKeys.advance(to, 'active')
        if (old && next) await delegations.supersede(old.hash, hashDelegation(next.delegation))
      })
    },

    grantFor: async (rotationId) => (await grantFor(store, rotationId)).grant,
  }

  /** What the step cannot tell without the old key: it is lost, or a crash came after it was wiped. */
  async function tellOfKeys({ kind, stepsDone, oldKey, newKey, reason }: Rotation): Promise<void> {
    const isMade = rotationSteps[kind][stepsDone - 1] === 'make-key'
    const isOver = stepsDone === rotationSteps[kind].length
    const name = isMade ? 'sessionKey.rotationTriggered' : isOver ? 'custody.sessionKeyRotated' : undefined
    if (!name || !newKey || told.some((event) => event.name === name)) return
    const [old, next] = [await store.sessionKeys.find(oldKey), await store.sessionKeys.find(newKey)]
    if (old && next) told.push({ name, oldAddress: old.address, newAddress: next.address, reason })
  }
}
