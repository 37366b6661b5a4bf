import { BardoError } from '@bardo/core'
import type { Json, OwnerRequest, Store } from '@bardo/store'
import type { Hash } from 'viem'
import { fileRequest } from '../events/fileRequest.ts'
import { askResponder } from './askResponder.ts'
import type { OwnerAsk } from './ownerRequest.ts'
import type { RequestContext } from './requestContext.ts'
import { requireLiving } from './requireLiving.ts'

/** The lifetime of a request: a day, so that an owner who sleeps sees it. */
export const patienceSeconds = 86_400
/** The maximum number of pending requests per Golem. An owner who gets more stops reading them. */
const mostPending = 20

/** A request to file. Filing the same id again has no effect. */
export type Asking = { readonly id: string; readonly golem: Hash; readonly ask: OwnerAsk }

/**
 * Files an owner request, and lets the owner responder answer. Returns the request: pending, approved or
 * adjusted. Throws if it was refused.
 *
 * @example
 * const request = await askOwner(context, { id, golem, ask: { type: 'fund', … } })
 */
export async function askOwner(context: RequestContext, { id, golem, ask }: Asking): Promise<OwnerRequest> {
  const { store, clock } = context
  await requireRoom(store, golem)
  await store.transaction(async (transaction) => {
    await requireLiving(transaction, golem)
    const expiresAt = clock.now() + patienceSeconds * 1_000
    const body = ask as unknown as Json
    await fileRequest(transaction, { id, golem, kind: ask.type, body, expiresAt })
  })
  const request = await askedBefore(context, id)
  if (request) return request
  throw new BardoError('A request that was just filed is not in the store.', { code: 'STORE_CORRUPT' })
}

/** Throws if the Golem has too many pending requests. */
export async function requireRoom(
  { ownerRequests }: Pick<Store, 'ownerRequests'>,
  golem: Hash,
): Promise<void> {
  const pending = (await ownerRequests.pending(golem)).length
  if (pending < mostPending) return
  throw new BardoError('Too many requests are waiting for the owner.', {
    code: 'RATE_LIMITED',
    details: [`${pending} requests are pending, ${mostPending} at most`],
    remedy: 'Wait until the owner has answered some, or some have expired.',
    docsPath: 'requests.md#kinds',
  })
}

/** Why a closed request was not approved. */
const notApproved: Partial<Record<OwnerRequest['state'], string>> = {
  refused: 'The owner refused the request.',
  expired: 'The request expired without an answer.',
  withdrawn: 'The request was withdrawn: the Golem is dying.',
}

/**
 * Finds a request by its id, after the owner responder had the chance to answer: a repeated call continues
 * with its first request, whatever it would request now. Undefined if there is none. Throws if it was not approved.
 */
export async function askedBefore(context: RequestContext, id: string): Promise<OwnerRequest | undefined> {
  const { store } = context
  const filed = await store.ownerRequests.find(id)
  if (filed?.state === 'pending') await askResponder(context, filed)
  const request = await store.ownerRequests.find(id)
  const why = request && notApproved[request.state]
  if (why === undefined) return request
  throw new BardoError(why, {
    code: 'USER_REJECTED',
    details: [`request ${id}`],
    remedy: 'Continue without it, or request less.',
    docsPath: 'requests.md#kinds',
  })
}
