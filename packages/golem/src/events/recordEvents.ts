import { BardoError } from '@bardo/core'
import type { Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { eventToJson } from './eventToJson.ts'
import type { GolemEvent } from './golemEvent.ts'

/** Records events of a Golem in a transaction. */
export function recordEvents(
  { record }: Pick<Transaction, 'record'>,
  golem: Hash,
  events: readonly GolemEvent[],
) {
  record(events.map((event) => ({ golem, name: event.name, body: eventToJson(event) })))
}

/** Thrown when another process changed the same Golem first. */
export function overtaken(): BardoError {
  return new BardoError('Another process is changing this Golem.', {
    code: 'STORE_UNAVAILABLE',
    remedy: 'Run the command again. It continues from what the other process has stored.',
  })
}
