import { readLegacy } from '@bardo/golem/death'
import { readManifest, storedManifest } from '@bardo/golem/manifest'
import { closingCall, leftPositions } from '@bardo/golem/positions'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField, ownerKeyField } from './fields.ts'

/**
 * Where everything is that a Golem is responsible for: as its death wrote it, or as of now. With the owner's key at hand,
 * each open position has the transaction that closes it.
 */
export const manifest = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    now: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { golem: named, now = false, ownerKey }) {
    const { id, owner } = await findGolem(context, named)
    const stored = now ? undefined : await storedManifest(context.store, id)
    const { permission } = await (await context.open(id)).status()
    const written = stored ?? (await readManifest(await context.partsOf(id), permission))
    const legacy = await readLegacy(context.store, id)
    const hasKey = ownerKey !== undefined || context.chain.world !== undefined
    return {
      ...written,
      isStored: stored !== undefined,
      legacy: legacy ?? null,
      closing: hasKey ? await closing(context, id, owner, ownerKey) : [],
    }
  },
})

/** The owner's transactions that close what the Golem opened and left open. They are built now, not read from the store. */
async function closing(context: Context, id: Hash, whose: `0x${string}`, ownerKey: string | undefined) {
  const owner = ownerWallet(context.chain, context.store, ownerKey)
  requireOwner(owner, whose)
  const parts = await context.partsOf(id)
  const { permission } = await (await context.open(id)).status()
  const left = await leftPositions(parts, permission)
  return Promise.all(
    left.map(async (position) => ({
      id: position.id,
      call: (await closingCall(owner.signer, parts, permission, position)) ?? null,
    })),
  )
}
