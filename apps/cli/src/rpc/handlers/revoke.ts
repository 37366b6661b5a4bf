import { readFamily } from '@bardo/golem'
import { performOperation, revocationCalls, revokedResult, scheduleTickNow } from '@bardo/operations'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { printable } from '../../terminal/printable.ts'
import { findGolem } from '../findGolem.ts'
import { operationContext } from '../operationContext.ts'
import { defineTask } from '../task.ts'
import { golemField, ownerKeyField } from './fields.ts'

/**
 * Revokes what the owner signed for a Golem, on the chain. The Golem sees it at its next tick and shuts down. With `isRunway`,
 * only the runway that the owner's wallet granted is revoked, and the Golem continues with its other funding. With
 * `isPresigned`, nothing is sent: the owner's key signs, and the transactions are returned.
 */
export const revoke = defineTask({
  input: z.strictObject({
    golem: golemField,
    isPresigned: z.boolean().optional(),
    isRunway: z.boolean().default(false),
    ownerKey: ownerKeyField,
  }),
  async run(context, { golem: named, isPresigned, isRunway, ownerKey }, { note }) {
    const { store } = context
    const { id, name, owner: whose } = await findGolem(context, named)
    const owner = ownerWallet(context.chain, store, ownerKey)
    requireOwner(owner, whose)
    const { birth } = await readFamily(store, id)
    if (birth && !isPresigned && !isRunway) {
      // The delegation above a child belongs to its parent, and stays.
      const child = await endReplicant(context, birth.parent, id)
      await scheduleTickNow(store, id)
      return { golem: id, name, revoked: [], calls: [], child }
    }
    const operation = { ...operationContext(context, note), owner: whose }
    const input = { golem: id, isRunway }
    if (isPresigned) {
      const calls = await revocationCalls(operation, owner.signer, input)
      return { golem: id, name, revoked: [], calls, child: null }
    }
    const { result } = await performOperation(operation, owner.signer, 'revoke', input)
    return { ...revokedResult.parse(result), calls: [], child: null }
  },
})

/**
 * Ends a child with its parent's key. If that key cannot, the child surrenders with its own: the chain then refuses its
 * delegation too.
 */
async function endReplicant(
  context: Context,
  parent: Hash,
  child: Hash,
): Promise<{ readonly type: 'disabled' | 'surrendered' | 'alive'; readonly parent: string }> {
  const ended = await (await context.open(parent)).endReplicant(child)
  const above = printable((await context.store.golems.find(parent))?.name ?? parent)
  if (ended === 'disabled') return { type: 'disabled', parent: above }
  const { vitals } = await surrender()
  return { type: vitals.state === 'alive' ? 'alive' : 'surrendered', parent: above }

  async function surrender() {
    const golem = await context.open(child)
    await golem.end('ownerRevocation')
    return golem.look()
  }
}
