import { callTool, revokePermissions } from '@bardo/golem'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../place/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { ownerSeat } from '../ownerSeat.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { golemField, ownerKeyField } from './fields.ts'

/** Ends a Golem in good order, and its owner revokes. */
export const kill = defineTask({
  input: z.strictObject({ golem: golemField, ownerKey: ownerKeyField }),
  async run(place, { golem: named, ownerKey }, { note }) {
    const { id, name, owner: whose } = await findGolem(place, named)
    const owner = ownerWallet(place.chain, place.store, ownerKey)
    requireOwner(owner, whose)
    const seat = await ownerSeat(place, owner)
    const input = { golems: [id], reason: 'owner_kill_switch' }
    const onProgress = (_done: number, _of: number, step: string) => note(step)
    const ended = await callTool(place.toolsFor(id, seat), revokePermissions, input, { onProgress })
    await tickNow(place, id)
    return { golem: id, name, ...ended }
  },
})
