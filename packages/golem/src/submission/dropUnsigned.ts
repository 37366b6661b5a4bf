import type { Journal, JournalRecord } from '@bardo/core'

/**
 * Drops the intent of an earlier key if nothing is signed for it. After that, a slow process with that key does
 * not sign it either. False if something is signed: it may land.
 */
export async function dropUnsigned(
  journal: Pick<Journal, 'find' | 'settle' | 'close'>,
  { intent: { id }, attempts }: JournalRecord,
): Promise<boolean> {
  if (attempts.length > 0) return false
  if (await journal.settle(id, { kind: 'dropped' })) return true
  // It has a nonce: its key can only close that nonce after this.
  await journal.close(id)
  const closed = await journal.find(id)
  return closed?.attempts.every(({ purpose }) => purpose === 'close') ?? false
}
