import type { Journal, Sender, SubmissionEvent } from '@bardo/core'
import type { PublicClient } from 'viem'
import { settleMined } from './advance.ts'
import { broadcast } from './broadcast.ts'
import { findAttempts, isCanonical } from './findAttempts.ts'
import { findUndone, minedOf, reopenUndone } from './reviewSettled.ts'
import { defaultSettings, type SubmitterSettings } from './settings.ts'

/**
 * Broadcasts landed transactions of a key again, as they were signed, after a reorganisation removed them, in
 * nonce order. It needs no key, so it also works for a wiped one. Reverted transactions are included: without
 * the key nothing else can use their nonce, and later ones must land. The journal records the new result of
 * each, in this call or a later one. Returns how many were broadcast.
 *
 * @example
 * const sent = await resendSettled({ client, journal }, { chainId, from: oldKey.address })
 */
export async function resendSettled(
  {
    client,
    journal,
    finality = defaultSettings.finality,
    onEvent,
  }: {
    readonly client: PublicClient
    readonly journal: Journal
    readonly finality?: SubmitterSettings['finality'] | undefined
    readonly onEvent?: (event: SubmissionEvent) => void | Promise<void>
  },
  sender: Sender,
): Promise<number> {
  const backend = { isCanonical: (mined: Parameters<typeof isCanonical>[1]) => isCanonical(client, mined) }
  const context = { journal, backend, emit: async (event: SubmissionEvent) => onEvent?.(event) }
  for (const record of await findUndone(context, sender)) await reopenUndone(context, record, false)

  let sent = 0
  const next = await client.getTransactionCount({ address: sender.from })
  const reopened = (await journal.open(sender)).filter(({ undone }) => undone)
  const settled = (await journal.from(sender, next)).filter(({ settlement }) => settlement)
  for (const record of [...reopened, ...settled]) {
    const { settlement, undone, closing, attempts } = record
    const mined = minedOf({ settlement: settlement ?? undone })
    const attempt = closing
      ? attempts.findLast(({ purpose }) => purpose === 'close')
      : attempts.find(({ hash }) => hash === mined?.hash)
    let sighting = await findAttempts(client, record, finality)
    if (attempt && sighting.kind === 'nothing') {
      await broadcast(client, attempt.raw)
      sent += 1
      sighting = await findAttempts(client, record, finality)
    }
    if (!settlement && sighting.kind === 'mined' && sighting.final)
      await settleMined(context, record, sighting.mined)
  }
  return sent
}
