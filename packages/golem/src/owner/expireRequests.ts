import type { Store } from '@bardo/store'
import { tell } from '../runtime/summoning.ts'
import { readOwnerAsk } from './ownerRequest.ts'

/** Ends what nobody answered in time, tells it, and wipes the keys that were waiting. Returns how many ended. */
export function expireRequests(store: Pick<Store, 'transaction'>): Promise<number> {
  return store.transaction(async (transaction) => {
    const ended = await transaction.ownerRequests.expire()
    for (const request of ended) {
      const ask = request.kind === 'sessionKey' ? readOwnerAsk(request) : undefined
      if (ask?.is === 'sessionKey') await transaction.sessionKeys.wipe(ask.publicKey)
      tell(transaction, request.golem, [
        { name: 'owner.requestAnswered', request: request.id, granted: false },
      ])
    }
    return ended.length
  })
}
