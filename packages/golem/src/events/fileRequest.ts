import type { OwnerRequests, Transaction } from '@bardo/store'
import type { OwnerRequestKind } from './golemEvent.ts'
import { recordEvents } from './recordEvents.ts'

/**
 * Files a request for the owner together with its event. Filing the same id again has no effect. Returns whether
 * the request is new.
 */
export async function fileRequest(
  transaction: Pick<Transaction, 'ownerRequests' | 'record'>,
  request: Parameters<OwnerRequests['file']>[0] & { readonly kind: OwnerRequestKind },
): Promise<boolean> {
  if (!(await transaction.ownerRequests.file(request))) return false
  const { id, golem, kind } = request
  recordEvents(transaction, golem, [{ name: 'owner.requestFiled', request: id, kind }])
  return true
}
