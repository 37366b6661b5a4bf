import { type OwnerSigner, resetWriter, revoke } from '@bardo/chain'
import { type Delegation, signDelegation } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { runningFeed } from '../funding/storedRunway.ts'
import { answerGrant, readGrantRequest } from './grantRequest.ts'
import { ownRow } from './ownRow.ts'
import { successorRoot } from './requireBounded.ts'
import { requireLiving } from './requireLiving.ts'

/** Sends a key its first gas, once per intent. */
export type Drip = (key: Address, intentId: string) => Promise<unknown>

/**
 * Carries out a grant request as the owner, and answers it. A repeated call continues.
 *
 * @example
 * for (const request of await store.ownerRequests.pending(id)) await grantAsOwner(signer, store, request,
 * drip)
 */
export async function grantAsOwner(
  signer: OwnerSigner,
  store: Store,
  request: OwnerRequest,
  drip: Drip,
): Promise<boolean> {
  const signed = await signGrantAsOwner(signer, store, request, drip)
  return answerGrant({ ...signer, store }, request.id, signed)
}

/**
 * Carries out a grant of limits that the owner signed before, in the only safe order: disable the old roots,
 * take the
 * Golem's row from the old key, send gas, and then sign for the new key. Only the new key and the limits are
 * read from
 * the request, and both are checked; the delegations to disable and the first key are looked up here.
 */
export async function signGrantAsOwner(
  signer: OwnerSigner,
  store: Pick<
    Store,
    | 'delegations'
    | 'golems'
    | 'grimoire'
    | 'ownerRequests'
    | 'permissions'
    | 'rotations'
    | 'sessionKeys'
    | 'transaction'
  >,
  request: OwnerRequest,
  drip: Drip,
  /** Unix seconds: until when the owner's signature for the new writer is valid. Default: an hour from now. */
  deadline?: bigint,
): Promise<Delegation> {
  const { reason: cause, root: requested } = readGrantRequest(request)
  await requireLiving(store, request.golem)
  const { firstKey } = await ownRow(signer, store, request.golem)
  const { root, ends: roots } = await successorRoot(signer, store, request.golem, requested)
  // The old key's draw on the runway is disabled with its roots.
  const feeds = (await runningFeed({ ...signer, store }, request.golem)).filter(
    ({ delegator, delegate }) =>
      isAddressEqual(delegator, signer.account.address) && !isAddressEqual(delegate, root.delegate),
  )
  const ends = [...roots, ...feeds]
  const events: GolemEvent[] = []
  // Several delegations of one key end here; the end of the key is recorded once.
  const isRecorded = ({ name }: GolemEvent) =>
    name === 'sessionKey.revoked' && events.some((event) => event.name === name)
  const recording = {
    ...signer,
    onEvent: (event: GolemEvent) => void (isRecorded(event) || events.push(event)),
  }
  for (const delegation of ends) await revoke(recording, { delegation, cause })
  await store.transaction(async (transaction) => recordEvents(transaction, request.golem, events))
  await resetWriter(signer, {
    firstKey,
    newWriter: root.delegate,
    ...(deadline !== undefined && { deadline }),
  })
  await drip(root.delegate, `drip-${request.id}`)
  return signDelegation(signer.account, root)
}
