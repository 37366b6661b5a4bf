import { createHash } from 'node:crypto'
import type { Hash } from 'viem'
import type { StoredEvent } from './storedEvent.ts'

/** The hash before a Golem's first event. */
export const noHash: Hash = `0x${'0'.repeat(64)}`

/**
 * The hash that links an event to the previous one of the same Golem: SHA-256 of eight lines. None of them
 * can contain a line break, so no two events have the same text. The database's `append_events` computes the
 * same.
 */
export function eventHash(previous: Hash, event: Omit<StoredEvent, 'hash' | 'body'>, body: string): Hash {
  const { golem, number, sequence, at, name } = event
  const lines = ['bardo event 1', previous.slice(2), golem, number, sequence, at, name, body]
  return `0x${createHash('sha256').update(lines.join('\n')).digest('hex')}`
}
