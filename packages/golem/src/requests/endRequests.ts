import type { OwnerRequest, Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import { parseOwnerAsk } from './ownerRequest.ts'

/**
 * Withdraws the requests of a dying Golem, except its revocation, and records it. Runs with every write of a
 * death, so that
 * a request that is filed at the same moment is withdrawn by the next write.
 */
export async function withdrawRequests(transaction: Transaction, golem: Hash): Promise<void> {
  for (const request of await transaction.ownerRequests.withdraw(golem)) {
    await wipeKeyOf(transaction, request)
    const { id, kind } = request
    recordEvents(transaction, golem, [{ name: 'owner.requestWithdrawn', request: id, kind }])
  }
}

/**
 * Wipes the key that was created for a request that is not approved. A row that cannot be read names no key.
 */
export async function wipeKeyOf(
  { sessionKeys }: Pick<Transaction, 'sessionKeys'>,
  request: Pick<OwnerRequest, 'golem' | 'kind' | 'body'>,
): Promise<void> {
  const ask = parseOwnerAsk(request)
  if (ask?.type !== 'sessionKey') return
  // A forged row must not wipe the active key, or a key of another Golem.
  const key = await sessionKeys.find(ask.publicKey)
  if (key?.golem === request.golem && key.status === 'made') await sessionKeys.wipe(key.publicKey)
}
