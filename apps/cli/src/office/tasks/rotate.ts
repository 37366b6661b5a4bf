import { answerRequest } from '@bardo/golem'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../place/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { ownerSeat } from '../ownerSeat.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { golemField, ownerKeyField } from './fields.ts'

/** A new session key. For a suspected one the owner signs at once where they are here, else they are asked. */
export const rotate = defineTask({
  input: z.strictObject({ golem: golemField.optional(), isSuspected: z.boolean(), ownerKey: ownerKeyField }),
  async run(place, { golem: named, isSuspected, ownerKey }, { note }) {
    const { store, chain, clock } = place
    const { id, name, owner: whose } = await findGolem(place, named)
    const owner = chain.world || ownerKey !== undefined ? ownerWallet(chain, store, ownerKey) : undefined
    // Before the first step: a key that is not the owner's does nothing by halves.
    if (owner && (isSuspected || ownerKey !== undefined)) requireOwner(owner, whose)
    const golem = await place.open(id)
    const before = (await golem.status()).charter.links[0].delegate
    note('Making a new key')
    await golem.rotate(isSuspected ? 'suspected' : 'age')
    const asked = (await store.ownerRequests.pending(id)).filter(({ kind }) => kind === 'grant')
    if (owner && asked.length > 0) {
      note('Ending the old grant, signing for the new key')
      requireOwner(owner, whose)
      const seat = await ownerSeat(place, owner)
      for (const request of asked) {
        const word = await seat.answer(request)
        if (word) await answerRequest({ ...chain, store, clock }, request.id, seat.address, word)
      }
      // It takes the new grant up at its next heartbeat.
      await golem.tick()
    }
    await tickNow(place, id)
    const after = (await (await place.open(id)).status()).charter.links[0].delegate
    const waiting = (await store.ownerRequests.pending(id)).flatMap((one) =>
      one.kind === 'grant' ? [one.id] : [],
    )
    return { golem: id, name, before, after, isRotated: before !== after, waiting }
  },
})
