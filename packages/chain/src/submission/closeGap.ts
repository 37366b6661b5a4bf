import type { Intent, JournalRecord, Sender } from '@bardo/core'
import type { SubmitterContext } from './advance.ts'
import { minedOf } from './reviewSettled.ts'
import { selfTransferGas } from './signAttempt.ts'

/**
 * A wider gap is not closed with self-transfers: a node that reports any number must not make the key spend
 * its gas.
 */
const widestGap = 64

/**
 * Makes sure that the chain can reach the lowest open nonce. Two events leave a gap below it: a
 * reorganisation deeper than `finality` that removes settled transactions, and a node that once reported a
 * nonce that was too high. A gap blocks every later transaction of the key.
 *
 * Settled intents whose block is gone are reopened first. If the chain does not reach the height of that
 * block yet, the same bytes are broadcast again. A nonce that the journal never assigned is used up by a
 * self-transfer. Both share the nonce with everything signed for it, so nothing lands twice. A node that
 * contradicts its own blocks is ignored.
 */
export async function closeGap(context: SubmitterContext): Promise<void> {
  const { backend, journal, clock, settings, memory } = context
  const sender = { chainId: context.chainId, from: backend.from }
  await context.review()
  const below = await lowestNeeded(context, sender)
  const next = below === undefined ? 0 : await backend.nextNonce()
  if (below === undefined || next >= below) {
    memory.gapSince = undefined
    return
  }
  const records = (await journal.from(sender, next)).filter(({ nonce = 0 }) => nonce < below)
  const settled = records.filter(({ settlement }) => settlement)
  const sightings = await Promise.all(settled.map((record) => backend.find(record, settings.finality)))
  // One of our transactions is in a block, at a nonce that the node reports as unused: the node lags or is
  // wrong.
  if (sightings.some(({ kind }) => kind !== 'nothing')) return

  memory.gapSince ??= clock.now()
  // A node that lags a few blocks behind shows the same for a moment.
  if (clock.now() - memory.gapSince < settings.replaceAfterMs / 3) return
  if (await backend.isPending?.(next)) return
  for (const record of settled) await rebroadcast(context, record)
  const assigned = new Set(records.map(({ nonce }) => nonce))
  const missing = Array.from({ length: below - next }, (_, at) => next + at).filter(
    (nonce) => !assigned.has(nonce),
  )
  if (missing.length > widestGap) return
  for (const nonce of missing) await useUp(context, sender, nonce)
}

/** The nonce that the chain must reach: that of the lowest open intent, otherwise the next one. */
async function lowestNeeded({ journal }: SubmitterContext, sender: Sender): Promise<number | undefined> {
  const [lowest] = await journal.open(sender)
  if (lowest?.nonce !== undefined) return lowest.nonce
  const highest = await journal.highestNonce(sender)
  return highest === undefined ? undefined : highest + 1
}

/**
 * Handles a settled record that is not seen at its nonce and whose block is above the chain's height.
 * Broadcasts the same bytes again, which is harmless if they are on chain. A record that was reported as
 * displaced or reverted must not land, because the caller may have submitted it again under another id: its
 * nonce is closed.
 */
async function rebroadcast(context: SubmitterContext, record: JournalRecord): Promise<void> {
  const { backend, clock, journal, settings, memory, emit } = context
  const { intent, attempts, nonce = 0 } = record
  const mined = minedOf(record)
  const attempt = attempts.find(({ hash }) => hash === mined?.hash)
  if (!attempt || mined?.status === 'reverted') {
    await journal.reopen(intent.id, true)
    return
  }
  const sentAt = memory.sent.get(attempt.hash)
  if (sentAt !== undefined && clock.now() - sentAt < settings.replaceAfterMs) return
  memory.sent.set(attempt.hash, clock.now())
  await backend.broadcast(attempt.raw)
  if (sentAt === undefined)
    await emit({ name: 'submission.gapClosed', from: backend.from, nonce, by: 'storedTransaction' })
}

/**
 * A self-transfer at an unassigned nonce. It is an intent itself, so that only one of several processes signs
 * it.
 */
async function useUp(context: SubmitterContext, sender: Sender, nonce: number): Promise<void> {
  const { backend, journal, clock, memory, emit } = context
  const id = `gap:${sender.chainId}:${sender.from.toLowerCase()}:${nonce}`
  const draft = await backend.draft({ id, to: sender.from, value: 0n, gas: selfTransferGas })
  const intent: Intent = { id, ...sender, ...draft }
  await journal.addIntent(intent, clock.now())
  if (!(await journal.claimNonce(id, nonce))) return
  await journal.close(id)
  memory.gapIntents.add(id)
  await emit({ name: 'submission.gapClosed', from: backend.from, nonce, by: 'selfTransfer' })
}
