import { performOperation, regrantedResult } from '@bardo/operations'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { operationContext } from '../operationContext.ts'
import { defineTask } from '../task.ts'
import { golemField, ownerKeyField, textField } from './fields.ts'

/** Renews a Golem's permission, or replaces its strategy: the owner signs a new root delegation. */
export const regrant = defineTask({
  input: z.strictObject({
    golem: golemField.optional(),
    strategy: textField.optional(),
    /** The new lifespan of a feed. */
    days: z.int().min(1).max(365).optional(),
    /** Before signing, closes the positions that the new strategy could no longer close. */
    closeFirst: z.boolean().optional(),
    /** Leaves a later phase than Thriving as it is. */
    keepPhase: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(
    context,
    { golem: named, strategy, days, keepPhase = false, closeFirst = false, ownerKey },
    { note },
  ) {
    const { id: golem, owner: whose } = await findGolem(context, named)
    const owner = ownerWallet(context.chain, context.store, ownerKey)
    requireOwner(owner, whose)
    const operation = { ...operationContext(context, note), owner: whose }
    const { result } =
      strategy === undefined
        ? await performOperation(operation, owner.signer, 'feed', { golem, days, keepPhase })
        : await performOperation(operation, owner.signer, 'adjust', { golem, strategy, closeFirst })
    return regrantedResult.parse(result)
  },
})
