import type { Json, Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { OwnerRequestKind } from '../events/golemEvent.ts'
import { tell } from './summoning.ts'

/** Asks the owner for something, and tells that it was asked, in one transaction. Asking again asks nobody twice. */
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
    tell(transaction, golem, [{ name: 'owner.requestFiled', request: id, kind }])
  })
}
