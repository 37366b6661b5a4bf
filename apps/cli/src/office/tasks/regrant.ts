import { regrant as signAnew } from '@bardo/golem'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../place/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { golemField, ownerKeyField, textField } from './fields.ts'

/** Feeds a Golem, or gives it another strategy: the owner signs anew. */
export const regrant = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    strategy: textField.optional(),
    ownerKey: ownerKeyField,
  }),
  async run(place, { golem: named, strategy, ownerKey }, { note }) {
    const { id, name, owner: whose } = await findGolem(place, named)
    const owner = ownerWallet(place.chain, place.store, ownerKey)
    requireOwner(owner, whose)
    note('Signing anew, and revoking the old signature')
    const { order } = await signAnew(owner.desk, { ...place.chain, store: place.store, id }, strategy)
    const { charter } = await (await place.open(id)).status()
    await tickNow(place, id)
    const { window, dayCents } = charter.plan
    return { golem: id, name, order, endsAt: Number(window.end), dayCents: `${dayCents}` }
  },
})
