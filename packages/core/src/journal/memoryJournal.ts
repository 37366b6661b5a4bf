import { BardoError } from '../errors/BardoError.ts'
import type { Journal, JournalRecord, Sender } from './journal.ts'

const senderKey = ({ chainId, from }: Sender) => `${chainId}:${from.toLowerCase()}`

/**
 * A journal that forgets with its process: for tests, and for Golems that are pinned to one. Its conditional writes
 * answer as SQL's do: each looks and writes in one turn, and nothing comes in between.
 */
export function createMemoryJournal(): Journal {
  const records = new Map<string, JournalRecord>()
  const nonces = new Map<string, Set<number>>()

  function get(intentId: string): JournalRecord {
    const record = records.get(intentId)
    if (record) return record
    throw new BardoError('The journal has no such intent.', { code: 'INVALID_INPUT', details: [intentId] })
  }

  /** Writes if `condition` holds; a settled record never changes again. */
  function update(
    intentId: string,
    condition: (record: JournalRecord) => boolean,
    change: (record: JournalRecord) => Partial<JournalRecord>,
  ): boolean {
    const record = get(intentId)
    if (record.settlement || !condition(record)) return false
    records.set(intentId, { ...record, ...change(record) })
    return true
  }

  return {
    async addIntent(intent, at) {
      if (records.has(intent.id)) return false
      const nothing = {
        nonce: undefined,
        attempts: [],
        closing: false,
        mined: undefined,
        settlement: undefined,
      }
      records.set(intent.id, { intent, addedAt: at, ...nothing })
      return true
    },

    async claimNonce(intentId, nonce) {
      const key = senderKey(get(intentId).intent)
      const claimed = nonces.get(key) ?? new Set()
      const isFree = (record: JournalRecord) =>
        record.nonce === undefined && !record.closing && !claimed.has(nonce)
      if (!update(intentId, isFree, () => ({ nonce }))) return false
      nonces.set(key, claimed.add(nonce))
      return true
    },

    async addAttempt(intentId, expected, attempt) {
      const isNext = (record: JournalRecord) =>
        record.nonce !== undefined &&
        record.attempts.length === expected &&
        (attempt.purpose === 'close' || !record.closing)
      return update(intentId, isNext, ({ attempts }) => ({ attempts: [...attempts, attempt] }))
    },

    close: async (intentId) =>
      update(
        intentId,
        ({ closing }) => !closing,
        () => ({ closing: true }),
      ),

    noteMined: async (intentId, mined) =>
      update(
        intentId,
        () => true,
        () => ({ mined }),
      ),

    settle: async (intentId, settlement) =>
      update(
        intentId,
        ({ nonce }) => settlement.kind !== 'dropped' || nonce === undefined,
        () => ({ settlement }),
      ),

    find: async (intentId) => records.get(intentId),

    async open(sender) {
      const last = Number.POSITIVE_INFINITY
      return [...records.values()]
        .filter(({ intent, settlement }) => !settlement && senderKey(intent) === senderKey(sender))
        .sort((a, b) => (a.nonce ?? last) - (b.nonce ?? last) || a.addedAt - b.addedAt)
    },

    async highestNonce(sender) {
      const claimed = nonces.get(senderKey(sender))
      return claimed && Math.max(...claimed)
    },
  }
}
