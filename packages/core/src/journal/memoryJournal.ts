import { BardoError } from '../errors/BardoError.ts'
import type { Journal, JournalRecord, Sender } from './journal.ts'

const senderKey = ({ chainId, from }: Sender) => `${chainId}:${from.toLowerCase()}`

/**
 * An in-memory journal: for tests, and for Golems that are pinned to one process. Its conditional writes
 * behave like SQL's: each checks and writes in one synchronous step.
 *
 * @example
 * const journal = createMemoryJournal()
 * const submitter = createSubmitter({ client, chainId, journal, clock, signer })
 */
export function createMemoryJournal(): Journal {
  const records = new Map<string, JournalRecord>()
  const nonces = new Map<string, Set<number>>()

  function get(intentId: string): JournalRecord {
    const record = records.get(intentId)
    if (record) return record
    throw new BardoError('The journal has no such intent.', { code: 'INVALID_INPUT', details: [intentId] })
  }

  /** Writes if `condition` holds; a settled record does not change until it is reopened. */
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
        undone: undefined,
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

    async reopen(intentId, closing) {
      const record = get(intentId)
      const { settlement: undone } = record
      if (!undone || record.nonce === undefined) return false
      records.set(intentId, { ...record, settlement: undefined, undone, closing: record.closing || closing })
      return true
    },

    find: async (intentId) => records.get(intentId),

    async from(sender, nonce) {
      const claimed = [...records.values()].filter(
        (record) => (record.nonce ?? -1) >= nonce && senderKey(record.intent) === senderKey(sender),
      )
      return claimed.sort((a, b) => (a.nonce ?? 0) - (b.nonce ?? 0))
    },

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
