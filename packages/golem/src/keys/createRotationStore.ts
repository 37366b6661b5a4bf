import { announceGrant, type RotationStore } from '@bardo/chain'
import {
  decodeContext,
  delegationEnd,
  encodeContext,
  hashDelegation,
  type Rotation,
  rotationSteps,
} from '@bardo/core'
import type { KeyVault } from '@bardo/wallets'
import { isAddressEqual } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { drawLinks, findRunway, keepHandedOn } from '../funding/storedRunway.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { grantFor } from '../requests/grantRequest.ts'
import { exchangeKey } from '../requests/rootExchange.ts'

/**
 * The stored data of a rotation. The events of a step are written in the same transaction as the step, so a
 * crash neither loses nor repeats them.
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
        recordEvents(transaction, id, told)
        return true
      })
      told.length = 0
      return isSaved
    },

    makeKey: vault.make,
    signerOf: vault.signerOf,
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

    async drawOf(name) {
      const [key, runway] = await Promise.all([store.sessionKeys.find(name), findRunway(store, id)])
      return key && runway ? drawLinks(runway, key.address) : []
    },

    addDraw: (link) => keepHandedOn(store, id, link),

    /**
     * One transaction: at no moment are two keys active, or none. A superseded rotation may have activated
     * its own key and delegation in the meantime. These end here too, together with a feed or an adjustment
     * that was under way.
     */
    async activate({ from, to }) {
      const [left, taken] = await Promise.all([store.sessionKeys.find(from), store.sessionKeys.find(to)])
      // The same session account: what the owner signs for it meanwhile stays valid.
      const isSameAccount = left && taken && isAddressEqual(left.address, taken.address)
      const next = await delegationOf(to)
      const nextHash = next && hashDelegation(next.delegation)
      await store.transaction(async ({ sessionKeys, delegations, grimoire }) => {
        for (const { publicKey, status } of await sessionKeys.list(id))
          if (publicKey !== to && (status === 'active' || publicKey === from))
            await sessionKeys.advance(publicKey, 'retired')
        await sessionKeys.advance(to, 'active')
        if (!nextHash) return
        for (const { hash, state } of await delegations.list(id))
          if (state === 'active' && hash !== nextHash) await delegations.supersede(hash, nextHash)
        if (!isSameAccount) await grimoire.remove(id, exchangeKey)
      })
    },

    async leftoverKeys({ newKey, oldKey, supersedes }) {
      // The key that was made for the superseded rotation, or that a slow process still makes: a second call
      // for a rotation returns the name of the first key.
      const superseded = supersedes === undefined ? undefined : await vault.make(supersedes)
      const known = await store.sessionKeys.list(id)
      return known.flatMap(({ publicKey, status }) => {
        const isLeft = status === 'active' || status === 'retired' || publicKey === superseded
        return isLeft && publicKey !== newKey && publicKey !== oldKey ? [publicKey] : []
      })
    },

    grantFor: async (rotationId) => (await grantFor(store, rotationId)).grant,
  }

  /**
   * Adds the events that a step cannot report without the old key, because the key is lost or a crash came
   * after it was wiped.
   */
  async function tellOfKeys({ kind, stepsDone, oldKey, newKey, reason }: Rotation): Promise<void> {
    const isMade = rotationSteps[kind][stepsDone - 1] === 'make-key'
    const isOver = stepsDone === rotationSteps[kind].length
    const name = isMade ? 'sessionKey.rotationTriggered' : isOver ? 'custody.sessionKeyRotated' : undefined
    if (!name || !newKey || told.some((event) => event.name === name)) return
    const [old, next] = [await store.sessionKeys.find(oldKey), await store.sessionKeys.find(newKey)]
    if (old && next) told.push({ name, oldAddress: old.address, newAddress: next.address, reason })
  }
}
