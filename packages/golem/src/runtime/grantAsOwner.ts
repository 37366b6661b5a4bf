import { type OwnerDesk, resetWriter, revoke, signDelegation } from '@bardo/chain'
import type { Delegation } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import type { Address } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { requireSame } from '../owner/requireBounded.ts'
import { answerGrant, readGrantRequest } from './grantRequest.ts'
import { tell } from './summoning.ts'

/** Gives a key its first gas, once for an intent. */
export type Drip = (key: Address, intentId: string) => Promise<unknown>

/**
 * Does what a request for a grant asks of an owner, and answers it. Doing it again carries it on.
 *
 * @example
 * for (const request of await store.ownerRequests.pending(id)) await grantAsOwner(desk, store, request, drip)
 */
export async function grantAsOwner(
  desk: OwnerDesk,
  store: Store,
  request: OwnerRequest,
  drip: Drip,
): Promise<boolean> {
  const signed = await signGrantAsOwner(desk, store, request, drip)
  return answerGrant({ ...desk, store }, request.id, signed)
}

/**
 * What an owner does for a grant of bounds that they have signed before, in the one safe order: the old root off, the
 * Golem's row out of the old key's hands, gas, and only then the signature for the new key.
 */
export async function signGrantAsOwner(
  desk: OwnerDesk,
  store: Pick<Store, 'delegations' | 'grimoire' | 'ownerRequests' | 'rotations' | 'transaction'>,
  request: OwnerRequest,
  drip: Drip,
): Promise<Delegation> {
  const { reason: cause, revoke: old, root, writer } = readGrantRequest(request)
  await requireSame(desk, store, request.golem, root)
  const events: GolemEvent[] = []
  const telling = { ...desk, onEvent: (event: GolemEvent) => events.push(event) }
  for (const delegation of old) await revoke(telling, { delegation, cause })
  await store.transaction(async (transaction) => tell(transaction, request.golem, events))
  await resetWriter(desk, writer)
  await drip(root.delegate, `drip-${request.id}`)
  return signDelegation(desk.account, root)
}
