import type { Store } from '@bardo/store'
import { recordEvents } from '../events/recordEvents.ts'
import { wipeKeyOf } from './endRequests.ts'

/**
 * Closes expired requests, records it, and wipes the keys that were created for them. Returns their number.
 */
export function expireRequests(store: Pick<Store, 'transaction'>): Promise<number> {
  return store.transaction(async (transaction) => {
    const ended = await transaction.ownerRequests.expire()
    for (const request of ended) {
      await wipeKeyOf(transaction, request)
      recordEvents(transaction, request.golem, [
        { name: 'owner.requestAnswered', request: request.id, granted: false },
      ])
    }
    return ended.length
  })
}
