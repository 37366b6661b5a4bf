import { revoke as endDelegation, isDisabled, revocationCall } from '@bardo/chain'
import { BardoError, type CustodyEvent, hashDelegation, isRoot, type SessionKeyEvent } from '@bardo/core'
import { eventToJson, knownGrants, readFamily } from '@bardo/golem'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../place/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { golemField, ownerKeyField } from './fields.ts'

/** The owner ends what they signed for a Golem, on the chain. The Golem finds it, and dies of it. */
export const revoke = defineTask({
  input: z.strictObject({ golem: golemField, isPrinted: z.boolean().optional(), ownerKey: ownerKeyField }),
  async run(place, { golem: named, isPrinted, ownerKey }, { note }) {
    const { store } = place
    const { id, name, owner: whose } = await findGolem(place, named)
    const owner = ownerWallet(place.chain, store, ownerKey)
    requireOwner(owner, whose)
    const { birth } = await readFamily(store, id)
    if (birth && !isPrinted) {
      // What stands above a child is its parent's, and stays.
      const is = await (await place.open(birth.parent)).endReplicant(id)
      await tickNow(place, id)
      return { golem: id, name, revoked: [], calls: [], child: is }
    }
    const { account } = owner.desk
    const known = (await knownGrants(store, id)).flatMap(({ delegation }) =>
      isRoot(delegation) && isAddressEqual(delegation.delegator, account.address) ? [delegation] : [],
    )
    // A key that was exchanged may hold the same root as the one before.
    const signed = [...new Map(known.map((root) => [hashDelegation(root), root])).values()]
    if (signed.length === 0)
      throw new BardoError('This account signed nothing for the Golem.', {
        code: 'STEP_OUT_OF_ORDER',
        details: [account.address],
      })
    if (isPrinted) {
      const isOver = await Promise.all(signed.map((root) => isDisabled(owner.desk, root)))
      const standing = signed.filter((_, index) => !isOver[index])
      const calls = await Promise.all(standing.map((root) => revocationCall(owner.desk, root)))
      return { golem: id, name, revoked: [], calls, child: null }
    }
    const told: (CustodyEvent | SessionKeyEvent)[] = []
    const desk = { ...owner.desk, onEvent: (event: CustodyEvent | SessionKeyEvent) => told.push(event) }
    const revoked = []
    for (const [place, delegation] of signed.entries()) {
      note(`Revoking ${place + 1} of ${signed.length}`)
      const done = await endDelegation(desk, { delegation, cause: 'owner' })
      const transaction = done.is === 'revoked' ? done.landed.hash : null
      revoked.push({ delegation: hashDelegation(delegation), is: done.is, transaction })
    }
    if (told.length > 0)
      await store.events.append(
        told.map((event) => ({ golem: id, name: event.name, body: eventToJson(event) })),
      )
    await tickNow(place, id)
    return { golem: id, name, revoked, calls: [], child: null }
  },
})
