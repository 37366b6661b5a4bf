import type { Landed, Submitter, Wish } from '@bardo/chain'
import type { Journal } from '@bardo/core'

/**
 * Sends a transaction once. What the journal has under its id is carried on as it was written down, whatever would be
 * sent by now: prices and scores move between a crash and the tick after it.
 */
export async function submitOnce(
  journal: Pick<Journal, 'find'>,
  submitter: Submitter,
  wish: Wish,
): Promise<Landed> {
  const known = await journal.find(wish.id)
  if (!known) return submitter.submit(wish)
  const { to, value, data } = known.intent
  return submitter.submit({ id: wish.id, to, value, data })
}
