import type { Json, Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { OwnerRequestKind } from '../events/golemEvent.ts'
import { recordEvents } from '../events/recordEvents.ts'

/** Files a request and its event in one transaction. Filing the same id again has no effect. */
export function fileRequest(
  store: Pick<Store, 'transaction'>,
  request: {
    readonly id: string
    readonly golem: Hash
    readonly kind: OwnerRequestKind
    readonly body: Json
  },
): Promise<void> {
  const { id, golem, kind } = request
  return store.transaction(async (transaction) => {
    if (!(await transaction.ownerRequests.file(request))) return
    recordEvents(transaction, golem, [{ name: 'owner.requestFiled', request: id, kind }])
  })
}
