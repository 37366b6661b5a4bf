import type { OwnerSigner } from '@bardo/chain'
import { BardoError, type SettledPosition } from '@bardo/core'
import type { Hash } from 'viem'
import { failureOf } from '../events/failureOf.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { type Closed, type Closing, closedOf, closePosition } from './closePosition.ts'
import { closingCall } from './closingCall.ts'
import { heldPositions } from './heldPositions.ts'
import { type OpenedPosition, openedPositions, sharesLeft } from './openedPositions.ts'

/** How long a closing may take. */
const closingMs = 600_000

/**
 * Closes positions of a living Golem through its current root into the owner's account, and returns the
 * recovered amounts:
 * for an owner who is about to sign a strategy without these vaults. Throws at the first position that cannot
 * be closed.
 * The chain enforces the signed minimum interval for closing too. During it, the owner's own transaction
 * closes the
 * position if the owner's signer is available; otherwise the error (`TOO_SOON`) says when it is over.
 *
 * @param ids - the ids of `leftPositions`
 * @param owner - the signer of the account's owner
 *
 * @example
 * const [{ recoveredCents }] = await closePositions(parts, permission, ['vault-USDC'])
 */
export async function closePositions(
  parts: GolemParts,
  permission: SignedPermission,
  ids: readonly string[],
  owner?: OwnerSigner,
): Promise<readonly SettledPosition[]> {
  const { id: golem, store, clock } = parts
  const selected = (await openedPositions(parts, permission)).filter(({ id }) => ids.includes(id))
  if (selected.length === 0) return []
  const redeemer = await createSubmitterOpener(parts)()
  const began = clock.now()
  const closing = { parts, permission, redeemer, until: began + closingMs }
  const settled: SettledPosition[] = []
  for (const position of selected) {
    const intent = `${golem}:close:${began}:${position.id}`
    // Record first: after a crash the journal has the outcome.
    await record({ name: 'action.intended', intent, summary: `close ${position.id}`, valueCents: 0n })
    let closed = await closePosition(closing, position, intent)
    if (closed.type === 'resting' && owner)
      closed = (await closeAsOwner(owner, closing, position, intent)) ?? closed
    if (closed.type === 'resting') {
      const error = resting(position.id, closed.error)
      await record({ name: 'action.postponed', intent, failure: failureOf(error) })
      throw error
    }
    if (closed.type === 'onItsWay')
      throw notClosed(position.id, 'its transaction is not mined yet', 'unknown')
    if (closed.type === 'deferred') {
      const error = notClosed(position.id, closed.reason, 'not-sent')
      await record({ name: 'action.postponed', intent, failure: failureOf(error) })
      throw error
    }
    if (closed.type !== 'settled') continue
    const transaction: Hash = `0x${closed.position.transaction.slice(2)}`
    await record({ name: 'action.landed', intent, transaction, spentCents: 0n })
    settled.push(closed.position)
  }
  return settled

  function record(event: GolemEvent): Promise<void> {
    return store.transaction(async (transaction) => recordEvents(transaction, golem, [event]))
  }
}

/** Closes the Golem's own position with the owner's key: no limit of the Golem's root applies to the owner. */
async function closeAsOwner(
  owner: OwnerSigner,
  { parts, permission }: Closing,
  position: OpenedPosition,
  intent: string,
): Promise<Closed | undefined> {
  const held = (await heldPositions(parts, permission)).find(({ id }) => id === position.id)
  if (!held) return undefined
  const rest =
    held.type === 'vault' && position.type === 'vault'
      ? { ...held, shares: (await sharesLeft(parts, position, permission.terms.mandate.account)).payable }
      : held
  const call = await closingCall(owner, parts, permission, rest)
  if (!call) return undefined
  return closedOf(parts, permission, position, await owner.submitter.submit({ id: intent, ...call }))
}

function resting(id: string, cause: BardoError): BardoError {
  const { retryAfter } = cause
  return new BardoError(`The position ${id} cannot be closed yet.`, {
    code: 'TOO_SOON',
    outcome: 'not-sent',
    details: [`the signed minimum interval lasts until ${retryAfter}`, 'the new strategy is not signed'],
    remedy: `Try again after ${retryAfter}, or adjust without --close-first and close the position with your own wallet.`,
    docsPath: 'owners.md#positions',
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}

function notClosed(id: string, reason: string, outcome: 'unknown' | 'not-sent'): BardoError {
  return new BardoError(`The position ${id} cannot be closed.`, {
    code: outcome === 'unknown' ? 'OUTCOME_UNKNOWN' : 'ACTION_NOT_ALLOWED',
    outcome,
    details: [reason, 'the new strategy is not signed'],
    remedy: 'Try again later, or adjust without --close-first and close the position with your own wallet.',
    docsPath: 'owners.md#positions',
  })
}
