import { compileStrategy, mostInADay } from '@bardo/core'
import {
  closePositions,
  droppedPositions,
  leftPositions,
  livingChildren,
  positionJson,
  regrant as signNewRoot,
} from '@bardo/golem'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { type OwnerWallet, ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { scheduleTickNow } from '../scheduleTickNow.ts'
import { defineTask } from '../task.ts'
import { golemField, ownerKeyField, textField } from './fields.ts'

/** Renews a Golem's permission, or replaces its strategy: the owner signs a new root delegation. */
export const regrant = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    strategy: textField.optional(),
    /** Before signing, closes the positions that the new strategy could no longer close. */
    closeFirst: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { golem: named, strategy, closeFirst, ownerKey }, { note }) {
    const { id, name, owner: whose } = await findGolem(context, named)
    const owner = ownerWallet(context.chain, context.store, ownerKey)
    requireOwner(owner, whose)
    const endedChildren = (await livingChildren(context.store, id)).map((child) => child.name)
    const closed =
      closeFirst && strategy !== undefined ? await closeDropped(context, id, strategy, { owner, note }) : []
    note('Signing the new delegation, revoking the old one')
    const { order } = await signNewRoot(
      owner.signer,
      { ...context.chain, store: context.store, id },
      strategy,
    )
    const { permission } = await (await context.open(id)).status()
    const left = strategy === undefined ? [] : await leftPositions(await context.partsOf(id), permission)
    await scheduleTickNow(context, id)
    const { window, sizeCents } = permission.plan
    const dayCents = mostInADay({ ...permission.plan, sizeCents: sizeCents[0] })
    return {
      golem: id,
      name,
      order,
      endsAt: Number(window.end),
      dayCents: `${dayCents}`,
      closed: closed.map((position) => ({ ...position, recoveredCents: `${position.recoveredCents}` })),
      unmanaged: left.flatMap((position) => (position.managed === 'now' ? [] : [positionJson(position)])),
      endedChildren,
    }
  },
})

/**
 * Closes positions through the current root, or with the owner's key while that root demands a pause. If one cannot be
 * closed, nothing is signed.
 */
async function closeDropped(
  context: Context,
  id: Hash,
  strategy: string,
  { owner, note }: { readonly owner: OwnerWallet; readonly note: (text: string) => void },
) {
  const { client, book } = context.chain
  const parts = await context.partsOf(id)
  const { permission } = await (await context.open(id)).status()
  const { timestamp: now } = await client.getBlock()
  const { plan } = compileStrategy(strategy, { now, symbols: [...book.assets.keys()] })
  const vaults = (await droppedPositions(parts, permission, plan)).filter(({ type }) => type === 'vault')
  if (vaults.length > 0) note('Closing positions that the new strategy does not manage')
  return closePositions(
    parts,
    permission,
    vaults.map((position) => position.id),
    owner.signer,
  )
}
