import { type Landed, landedAs, type TransactionRequest } from '@bardo/chain'
import { BardoError, type Journal, type JournalRecord } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { dropUnsigned } from './dropUnsigned.ts'
import type { GolemSubmitter } from './openSubmitter.ts'

type OnceJournal = Pick<Journal, 'find' | 'settle' | 'close'>
type Sender = Pick<GolemSubmitter, 'address' | 'submitter' | 'isInUse' | 'followerOf'>

/**
 * Sends a transaction once. If the journal already has the id, the journaled transaction continues unchanged,
 * and the request's own data is ignored: prices and scores move between a crash and the next tick.
 *
 * Around a rotation the journaled transaction may belong to another key. What that key signed can still land and
 * is followed. Once it is certain that it has no effect, the key in use sends the request under another id.
 */
export async function submitOnce(
  journal: OnceJournal,
  sender: Sender,
  request: TransactionRequest,
): Promise<Landed> {
  const known = await journal.find(request.id)
  if (!known) return submitNew(journal, sender, request)
  const { intent, nonce = 0, settlement } = known
  const isOwn = isAddressEqual(intent.from, sender.address)
  const landed = settlement?.kind === 'landed' ? landedAs(request.id, nonce, settlement.mined) : undefined
  if (landed && (isOwn || landed.status === 'success')) return landed
  // It was dropped unsigned because the key changed.
  if (settlement?.kind === 'dropped') return submitAgain(journal, sender, request)
  const { to, value, data } = intent
  if (isOwn) return sender.submitter.submit({ id: request.id, to, value, data })
  if (settlement) return submitAgain(journal, sender, request)
  if (known.attempts.length === 0) await requireInUse(sender, known)
  if (await dropUnsigned(journal, known)) return submitAgain(journal, sender, request)
  const follower = sender.followerOf(intent.from)
  try {
    const followed = await follower.submit({ id: request.id, to, value, data })
    if (followed.status === 'success') return followed
  } catch (error) {
    // Settled without landing: something else used its nonce.
    if (!(await journal.find(request.id))?.settlement) throw error
  }
  return submitAgain(journal, sender, request)
}

async function submitNew(journal: OnceJournal, sender: Sender, request: TransactionRequest): Promise<Landed> {
  try {
    return await sender.submitter.submit(request)
  } catch (error) {
    const stored = await journal.find(request.id)
    if (!stored || isAddressEqual(stored.intent.from, sender.address)) throw error
    // A process with another key stored the same id at this moment.
    return submitOnce(journal, sender, request)
  }
}

function submitAgain(journal: OnceJournal, sender: Sender, request: TransactionRequest): Promise<Landed> {
  return submitOnce(journal, sender, { ...request, id: `${request.id}:again` })
}

/** Throws if the journaled intent belongs to a newer key, which sends it. */
async function requireInUse({ address, isInUse }: Sender, { intent }: JournalRecord): Promise<void> {
  if (await isInUse()) return
  throw new BardoError('A key rotation retired this key. The new key sends the transaction.', {
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
    details: [`intent ${intent.id}`, `key ${address}`, `new key ${intent.from}`],
  })
}
