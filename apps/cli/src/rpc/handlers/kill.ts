import { closingCall, leftPositions, outageOf, positionJson } from '@bardo/golem'
import { scheduleTickNow } from '@bardo/operations'
import { callTool, revokePermissions } from '@bardo/tools'
import { BaseError, type Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { type OwnerWallet, ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { ownerResponderFor } from '../ownerResponderFor.ts'
import { defineTask } from '../task.ts'
import { golemField, ownerKeyField } from './fields.ts'

/** Shuts a Golem down in order, then revokes its delegations with the owner's key. */
export const kill = defineTask({
  input: z.strictObject({ golem: golemField, ownerKey: ownerKeyField }),
  async run(context, { golem: named, ownerKey }, { note }) {
    const { id, name, owner: whose } = await findGolem(context, named)
    const owner = ownerWallet(context.chain, context.store, ownerKey)
    requireOwner(owner, whose)
    const responder = await ownerResponderFor(context, owner)
    const input = { golems: [id], reason: 'owner_kill_switch' }
    const onProgress = (_done: number, _of: number, step: string) => note(step)
    const ended = await callTool(context.toolsFor(id, responder), revokePermissions, input, { onProgress })
    await scheduleTickNow(context.store, id)
    return { golem: id, name, ...ended, left: await leftOver(context, id, owner) }
  },
})

/**
 * The positions that the Golem does not close, each with the owner's transaction that closes it. Null while the node does
 * not answer: the kill switch works without it.
 */
async function leftOver(context: Context, id: Hash, { signer }: OwnerWallet) {
  try {
    const parts = await context.partsOf(id)
    const { permission, death } = await (await context.open(id)).status()
    const isOver = permission.golem.status === 'dead'
    const reasons = new Map(death?.unwound.deferred.map((one) => [one.id, one.reason]))
    // A dying Golem closes what its root delegation allows in its next ticks.
    const left = (await leftPositions(parts, permission)).filter(({ managed }) => isOver || managed !== 'now')
    return await Promise.all(
      left.map(async (position) => ({
        ...positionJson(position, isOver),
        reason: reasons.get(position.id) ?? 'its current delegation does not cover it',
        call: (await closingCall(signer, parts, permission, position)) ?? null,
      })),
    )
  } catch (error) {
    if (outageOf(error) === 'rpcOutage' || error instanceof BaseError) return null
    throw error
  }
}
