import { type JournalRecord, type Mined, minedTransaction, type Sender } from '@bardo/core'
import { advance, type SubmitterContext } from './advance.ts'
import type { SubmissionBackend } from './submissionBackend.ts'

/** Number of records per read. */
const page = 16

/**
 * Reopens settled intents whose block is no longer part of the chain, after a reorganisation deeper than
 * `finality`. Their transactions are gone, or in other blocks with another result. From here on each is an
 * open intent like any other, and its new result is recorded and emitted.
 *
 * A reverted transaction was reported as refused. It must not succeed later without a new decision, so a
 * self-transfer uses its nonce. A node that still has the transaction can include it first; then it is
 * recorded as landed.
 */
export async function reviewSettled(context: SubmitterContext): Promise<void> {
  const { journal, chainId, backend } = context
  for (const record of await findUndone(context, { chainId, from: backend.from })) {
    const hasReverted = minedOf(record)?.status === 'reverted'
    if (!(await reopenUndone(context, record, hasReverted))) continue
    const open = await journal.find(record.intent.id)
    if (open) await advance(context, open)
  }
}

/**
 * The settled records whose block is gone, lowest nonce first. The search goes down from the newest and ends
 * at the first canonical block: everything below it is in earlier blocks, and was canonical when it was
 * settled.
 */
export async function findUndone(
  {
    journal,
    backend,
  }: {
    readonly journal: SubmitterContext['journal']
    readonly backend: Pick<SubmissionBackend, 'isCanonical'>
  },
  sender: Sender,
): Promise<readonly JournalRecord[]> {
  const undone: JournalRecord[] = []
  for (let above = ((await journal.highestNonce(sender)) ?? -1) + 1; above > 0; above -= page) {
    const records = await journal.from(sender, Math.max(above - page, 0))
    for (const record of records.filter(({ nonce = 0 }) => nonce < above).toReversed()) {
      const mined = minedOf(record)
      const isCanonical = mined && (await backend.isCanonical(mined))
      if (isCanonical) return undone
      if (isCanonical === false) undone.unshift(record)
    }
  }
  return undone
}

/** Emits that the record's block is gone, and reopens the record. False if another process did. */
export async function reopenUndone(
  { journal, emit }: Pick<SubmitterContext, 'journal' | 'emit'>,
  record: JournalRecord,
  closing: boolean,
): Promise<boolean> {
  const { intent, nonce = 0 } = record
  const now = await journal.find(intent.id)
  const mined = now && minedOf(now)
  if (!mined) return false
  const transaction = minedTransaction(mined)
  // Emit first: after a crash in between, the event is emitted twice instead of never.
  await emit({ name: 'submission.landingUndone', from: intent.from, nonce, intent: intent.id, transaction })
  return journal.reopen(intent.id, closing)
}

/** The block in which a record was settled. */
export function minedOf({ settlement }: Pick<JournalRecord, 'settlement'>): Mined | undefined {
  return settlement?.kind === 'landed' || settlement?.kind === 'closed' ? settlement.mined : undefined
}
