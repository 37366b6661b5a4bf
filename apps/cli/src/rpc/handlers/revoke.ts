import { revoke as endDelegation, isDisabled, type OwnerSigner } from '@bardo/chain'
import {
  BardoError,
  type CustodyEvent,
  type Delegation,
  hashDelegation,
  isRoot,
  revocationCall,
  type SessionKeyEvent,
} from '@bardo/core'
import { eventToJson, knownGrants, readFamily, runwayGrants } from '@bardo/golem'
import { type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { findGolem } from '../findGolem.ts'
import { scheduleTickNow } from '../scheduleTickNow.ts'
import { defineTask } from '../task.ts'
import { golemField, ownerKeyField } from './fields.ts'

/**
 * Revokes what the owner signed for a Golem, on the chain. The Golem sees it at its next tick and shuts down. With `isRunway`,
 * only the runway that the owner's wallet granted is revoked, and the Golem continues with its other funding.
 */
export const revoke = defineTask({
  input: z.strictObject({
    golem: golemField,
    isPrinted: z.boolean().optional(),
    isRunway: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { golem: named, isPrinted, isRunway, ownerKey }, { note }) {
    const { store } = context
    const { id, name, owner: whose } = await findGolem(context, named)
    const owner = ownerWallet(context.chain, store, ownerKey)
    requireOwner(owner, whose)
    const { birth } = await readFamily(store, id)
    if (birth && !isPrinted && !isRunway) {
      // The delegation above a child belongs to its parent, and stays.
      const child = await (await context.open(birth.parent)).endReplicant(id)
      await scheduleTickNow(context, id)
      return { golem: id, name, revoked: [], calls: [], child }
    }
    const { signer, grants } = isRunway
      ? await runwayGrants(owner, store, id)
      : { signer: owner.signer, grants: await signedFor(context, id, owner.signer) }
    if (isPrinted) return { golem: id, name, revoked: [], calls: await callsFor(signer, grants), child: null }
    const events: (CustodyEvent | SessionKeyEvent)[] = []
    const onEvent = (event: CustodyEvent | SessionKeyEvent) => {
      // Revoking a runway does not end a session key.
      if (!isRunway || event.name === 'custody.delegationRevoked') events.push(event)
    }
    const revoked = []
    for (const [at, delegation] of grants.entries()) {
      note(`Revoking ${at + 1} of ${grants.length}`)
      const cause = isRunway ? 'runway' : 'owner'
      const done = await endDelegation({ ...signer, onEvent }, { delegation, cause })
      const transaction = done.type === 'revoked' ? done.landed.hash : null
      revoked.push({ delegation: hashDelegation(delegation), type: done.type, transaction })
    }
    if (events.length > 0)
      await store.events.append(
        events.map((event) => ({ golem: id, name: event.name, body: eventToJson(event) })),
      )
    await scheduleTickNow(context, id)
    return { golem: id, name, revoked, calls: [], child: null }
  },
})

/** The roots that the owner's account signed for a Golem. */
async function signedFor(
  { store }: Context,
  id: Hash,
  { account }: OwnerSigner,
): Promise<readonly Delegation[]> {
  const roots = (await knownGrants(store, id)).flatMap(({ delegation }) =>
    isRoot(delegation) && isAddressEqual(delegation.delegator, account.address) ? [delegation] : [],
  )
  // A rotated key may hold the same root as the key before it.
  const signed = [...new Map(roots.map((root) => [hashDelegation(root), root])).values()]
  if (signed.length > 0) return signed
  throw new BardoError('This account has signed no delegation for the Golem.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [account.address],
  })
}

/** The transactions that revoke the delegations that are still active. */
async function callsFor(signer: OwnerSigner, grants: readonly Delegation[]) {
  const isOver = await Promise.all(grants.map((grant) => isDisabled(signer, grant)))
  const active = grants.filter((_, at) => !isOver[at])
  return Promise.all(active.map((grant) => revocationCall(signer, grant)))
}
