import type { Landed, Submitter, TransactionRequest } from '@bardo/chain'
import type { Journal } from '@bardo/core'

/**
 * Sends a transaction once. If the journal already has the id, the journaled transaction continues unchanged,
 * and the request's own data is ignored: prices and scores move between a crash and the next tick.
 */
export async function submitOnce(
  journal: Pick<Journal, 'find'>,
  submitter: Submitter,
  request: TransactionRequest,
): Promise<Landed> {
  const known = await journal.find(request.id)
  if (!known) return submitter.submit(request)
  const { nonce = 0, settlement } = known
  // An earlier key may have sent it: the submitter of another key would treat it as a different intent.
  if (settlement?.kind === 'landed') return { id: request.id, nonce, ...settlement.mined }
  // It was dropped unsigned because the key changed: the new key sends it under another id.
  if (settlement?.kind === 'dropped')
    return submitOnce(journal, submitter, { ...request, id: `${request.id}:again` })
  const { to, value, data } = known.intent
  return submitter.submit({ id: request.id, to, value, data })
}
