import { BardoError } from '@bardo/core'
import type { Json, OwnerRequest, Store } from '@bardo/store'
import type { Hash } from 'viem'
import { tell } from '../runtime/summoning.ts'
import type { ToolContext } from '../tools/toolContext.ts'
import { askSeat } from './askSeat.ts'
import type { OwnerAsk } from './ownerRequest.ts'

/** So long a request waits. Origin: ours; a day, so that an owner who sleeps sees it. */
export const patienceSeconds = 86_400
/** So many of a Golem's requests wait at once. Origin: ours; who is asked more often stops reading. */
const mostWaiting = 20

/** What is asked, of whose owner, and under which id: asking again under the same one asks nobody twice. */
export type Asking = { readonly id: string; readonly golem: Hash; readonly ask: OwnerAsk }

/**
 * Files a request with the owner, and lets an unattended one answer. Returns the request as it stands then: pending,
 * approved or adjusted. A no is an error.
 *
 * @example
 * const request = await askOwner(context, { id, golem, ask: { is: 'fund', … } })
 */
export async function askOwner(context: ToolContext, { id, golem, ask }: Asking): Promise<OwnerRequest> {
  const { store, clock } = context
  await requireRoom(store, golem)
  await store.transaction(async (transaction) => {
    const expiresAt = clock.now() + patienceSeconds * 1_000
    const body = ask as unknown as Json
    const isNew = await transaction.ownerRequests.file({ id, golem, kind: ask.is, body, expiresAt })
    if (isNew) tell(transaction, golem, [{ name: 'owner.requestFiled', request: id, kind: ask.is }])
  })
  const request = await askedBefore(context, id)
  if (request) return request
  throw new BardoError('A request that was filed is gone.', { code: 'STORE_CORRUPT' })
}

/** Lets a Golem ask for no more than an owner can read. */
export async function requireRoom(
  { ownerRequests }: Pick<Store, 'ownerRequests'>,
  golem: Hash,
): Promise<void> {
  const waiting = (await ownerRequests.pending(golem)).length
  if (waiting < mostWaiting) return
  throw new BardoError('Too much waits for the owner already.', {
    code: 'RATE_LIMITED',
    details: [`${waiting} requests wait, ${mostWaiting} at most`],
    remedy: 'Wait until the owner has answered some, or they have run out.',
    docsPath: 'requests.md#kinds',
  })
}

/**
 * What was asked before under an id, after an unattended owner had the chance to answer: a call that is sent again goes on
 * with what it asked for then, whatever it would ask for by now. Undefined where nothing was asked; a no is an error.
 */
export async function askedBefore(context: ToolContext, id: string): Promise<OwnerRequest | undefined> {
  const { store } = context
  const filed = await store.ownerRequests.find(id)
  if (filed?.state === 'pending') await askSeat(context, filed)
  const request = await store.ownerRequests.find(id)
  if (request?.state !== 'refused' && request?.state !== 'expired') return request
  throw new BardoError(request.state === 'refused' ? 'The owner said no.' : 'The owner did not answer.', {
    code: 'USER_REJECTED',
    details: [`request ${id}`],
    remedy: 'Do without it, or ask for less.',
    docsPath: 'requests.md#kinds',
  })
}
