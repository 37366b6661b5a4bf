import { BardoError } from '@bardo/core'
import type { Golem, NewEvent, Store, Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { type Death, deathPhaseOf } from '../death/death.ts'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { GolemState } from '../heartbeat/golemState.ts'
import { observeReasons } from '../recovery/recovery.ts'

/**
 * Writes a state, the Golem's row, a warning for each refusal and the events together, if that state is the next one and
 * the Golem is not dying.
 */
export function writeState(
  store: Store,
  golem: Hash,
  state: GolemState,
  events: readonly GolemEvent[],
): Promise<boolean> {
  return store.transaction(async (transaction) => {
    if (!(await transaction.lives.saveState(golem, state.version, state))) return false
    const status = state.recovery.is === 'observing' ? 'observing' : 'alive'
    await changeRow(transaction, golem, { status, phase: state.phase, nextTick: state.nextTickAt * 1_000 })
    await warn(transaction, golem, events)
    const asked = await askOwner(transaction, golem, state.tick, events)
    transaction.record([...events, ...asked].map((event) => toStored(golem, event)))
    return true
  })
}

/** Writes a death and its events together, if it is the next one. From the first on the Golem only dies. */
export function writeDeath(
  store: Store,
  golem: Hash,
  death: Death,
  events: readonly GolemEvent[],
): Promise<boolean> {
  return store.transaction(async (transaction) => {
    if (!(await transaction.lives.saveDeath(golem, death.version, death))) return false
    const isOver = deathPhaseOf(death) === 'over'
    const nextTick = isOver ? undefined : death.begunAt * 1_000
    await changeRow(transaction, golem, { status: isOver ? 'dead' : 'dying', nextTick })
    transaction.record(events.map((event) => toStored(golem, event)))
    return true
  })
}

async function changeRow({ golems }: Transaction, id: Hash, change: Partial<Golem>): Promise<void> {
  const golem = await golems.find(id)
  if (golem && (await golems.save({ ...golem, ...change }))) return
  throw new BardoError('Somebody else is writing this Golem.', { code: 'STORE_UNAVAILABLE' })
}

/** What a successor shall not try again. */
async function warn({ grimoire }: Transaction, golem: Hash, events: readonly GolemEvent[]): Promise<void> {
  for (const event of events) {
    if (event.name !== 'action.refused') continue
    const { source, intent, where, failure } = event
    const body = {
      text: failure.message,
      confidence: 1,
      code: failure.code,
      where,
      ...(failure.remedy && { remedy: failure.remedy }),
    }
    await grimoire.put({ golem, key: `warning.${intent}`, kind: 'warning', source, body })
  }
}

/** Without a key that the chain takes, only the owner can help: they are asked once for each time it is lost. */
async function askOwner(
  { ownerRequests }: Transaction,
  golem: Hash,
  tick: number,
  events: readonly GolemEvent[],
): Promise<readonly GolemEvent[]> {
  const asked: GolemEvent[] = []
  for (const event of events) {
    if (event.name !== 'recovery.observing') continue
    const { reason } = event
    if (reason !== 'keyLost' && reason !== 'keyRefused') continue
    const kind = 'redelegate'
    const id = `${golem}:tick:${tick}:${kind}`
    const isNew = await ownerRequests.file({ id, golem, kind, body: { because: observeReasons[reason] } })
    if (isNew) asked.push({ name: 'owner.requestFiled', request: id, kind })
  }
  return asked
}

function toStored(golem: Hash, event: GolemEvent): NewEvent {
  return { golem, name: event.name, body: eventToJson(event) }
}
