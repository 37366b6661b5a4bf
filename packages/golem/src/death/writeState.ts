import { BardoError } from '@bardo/core'
import type { Golem, LedgerPosting, NewEvent, Store, TickRecord, Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { withdrawRequests } from '../requests/endRequests.ts'
import { type Death, deathPhaseOf } from '../state/death.ts'
import type { GolemState } from '../state/golemState.ts'

/**
 * Writes a state, the Golem's row, a warning for each refusal and the events together, if the state is the next
 * one and the Golem is not dying.
 */
export function writeState(
  store: Store,
  golem: Hash,
  state: GolemState,
  events: readonly GolemEvent[],
  posting?: LedgerPosting,
): Promise<boolean> {
  const status = state.recovery.type === 'observing' ? 'observing' : 'alive'
  return store.ticks.save({
    golem,
    version: state.version,
    state,
    row: { status, phase: state.phase, nextTick: state.nextTickAt * 1_000 },
    notes: warningsOf(events),
    events: events.map((event) => toStored(golem, event)),
    ...(posting && { posting }),
  })
}

/**
 * Writes a death and its events together, if it is the next one. After the first write the Golem only dies,
 * and its pending
 * requests are withdrawn.
 *
 * @param bonds - of the permission that was judged: a Golem whose strategy, delegation or key changed since
 * does not die
 */
export function writeDeath(
  store: Store,
  golem: Hash,
  death: Death,
  events: readonly GolemEvent[],
  bonds?: string,
): Promise<boolean> {
  return store.transaction(async (transaction) => {
    if (bonds !== undefined && (await transaction.golemStates.findBonds(golem)) !== bonds) return false
    if (!(await transaction.golemStates.saveDeath(golem, death.version, death))) return false
    const isOver = deathPhaseOf(death) === 'over'
    const nextTick = isOver ? undefined : death.begunAt * 1_000
    await changeRow(transaction, golem, { status: isOver ? 'dead' : 'dying', nextTick })
    await withdrawRequests(transaction, golem)
    transaction.record(events.map((event) => toStored(golem, event)))
    return true
  })
}

/**
 * Writes a part of a Golem's row in a transaction. Throws if another process was faster, which reverts the
 * transaction.
 */
export async function changeRow({ golems }: Transaction, id: Hash, change: Partial<Golem>): Promise<void> {
  const golem = await golems.find(id)
  if (golem && (await golems.save({ ...golem, ...change }))) return
  throw new BardoError('Another process is changing this Golem.', { code: 'STORE_UNAVAILABLE' })
}

/** Warnings for a successor, one per refusal. */
function warningsOf(events: readonly GolemEvent[]): TickRecord['notes'] {
  return events.flatMap((event) => {
    if (event.name !== 'action.refused') return []
    const { source, intent, where, failure } = event
    const body = {
      text: failure.message,
      confidence: 1,
      code: failure.code,
      where,
      ...(failure.remedy && { remedy: failure.remedy }),
    }
    return [{ key: `warning.${intent}`, kind: 'warning', source, body }]
  })
}

function toStored(golem: Hash, event: GolemEvent): NewEvent {
  return { golem, name: event.name, body: eventToJson(event) }
}
