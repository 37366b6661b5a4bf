import { BardoError } from '@bardo/core'
import type { Hash } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { attemptAction, type Ended, endAction } from '../heartbeat/endAction.ts'
import type { GolemState, Pending } from '../heartbeat/golemState.ts'
import { summaryOf } from '../strategies/strategy.ts'
import type { Acting } from './previewIntention.ts'
import { requireAble } from './requireAble.ts'
import { readStoredPreview } from './storedLife.ts'
import { previewKey } from './sweepPreviews.ts'

/** What was done. */
export type Committed = {
  readonly transaction: Hash
  /** At most. */
  readonly spentCents: bigint
}

/** How often a state is read again that somebody else wrote meanwhile. Origin: ours. */
const mostTurns = 5

/**
 * Does what a permit allows, as a tick does it: written down as pending, acted on through the journal, and ended. Whoever
 * calls again with that intent gets what became of it; a process that dies on the way leaves the rest to the next tick.
 */
export async function commitPermit(acting: Acting, permitId: string, intentId: string): Promise<Committed> {
  const { valueCents, preview } = await usable(acting, permitId, intentId)
  const known = await landedBefore(acting, intentId, valueCents)
  if (known) return known
  if (!preview) throw invalid('there is no such permit')
  const pending = { intentId, permitId, ...preview }
  const state = await begin(acting, pending)
  const ended = await attemptAction(acting.ports, state, pending, state.tick + 1).catch((error: unknown) => {
    throw underWay(intentId, error)
  })
  if (ended.is === 'onItsWay') throw underWay(intentId)
  await end(acting, pending, ended)
  await acting.parts.store.grimoire.remove(acting.parts.id, previewKey(permitId))
  if (ended.is === 'refused') throw ended.error
  return { transaction: ended.transaction, spentCents: ended.spentCents }
}

/** What the permit is for; what cannot be used is refused before anything is written. */
async function usable({ parts, life }: Acting, permitId: string, intentId: string) {
  const { id, store } = parts
  const [found, preview, { state }] = await Promise.all([
    store.capabilities.find(permitId),
    store.grimoire.get(id, previewKey(permitId)),
    life(),
  ])
  // What was used up may be forgotten already; whether it landed, the journal says.
  if (!found || (!preview && found.consumedBy === undefined)) throw invalid('there is no such permit')
  const { consumedBy, capability } = found
  if (capability.golem !== id) throw invalid('it belongs to another Golem')
  if (consumedBy !== undefined && consumedBy !== intentId) throw invalid('it was used before')
  if (consumedBy === undefined && state.tick + 1 >= capability.expiresAtTick)
    throw invalid(`it held until before tick ${capability.expiresAtTick}, and this is tick ${state.tick + 1}`)
  return { valueCents: capability.valueLimit, preview: preview && readStoredPreview(preview.body) }
}

/** What the journal says of it: what has landed is told again, whatever became of the Golem since. */
async function landedBefore(
  { parts, life }: Acting,
  intentId: string,
  valueCents: bigint,
): Promise<Committed | undefined> {
  const record = await parts.store.journal.find(intentId)
  const settlement = record?.settlement
  const { state, death } = await life()
  // Until the state says that it is over, it is ended by whoever comes first.
  const isOpen = state.pending?.intentId === intentId && !death
  if (settlement?.kind === 'landed' && settlement.mined.status === 'success' && !isOpen)
    return { transaction: settlement.mined.hash, spentCents: valueCents }
  if (record && !settlement && death) throw underWay(intentId)
  if (settlement && !isOpen) throw over(intentId)
  return undefined
}

/** Writes it down before it is done. One that is written down already goes on. */
async function begin({ ports, life }: Acting, pending: Pending): Promise<GolemState> {
  const { intentId: intent, intention, valueCents } = pending
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    const { state, death } = await life()
    requireAble(state, death, undefined)
    if (state.pending?.intentId === intent) return state
    if (state.pending) throw busy(state.pending)
    requireAble(state, death, (await ports.sense(state)).outage)
    const next: GolemState = { ...state, pending, version: state.version + 1 }
    const summary = summaryOf(intention)
    const intended: GolemEvent = { name: 'action.intended', intent, summary, valueCents }
    if (await ports.save(next, [intended])) return next
  }
  throw contended()
}

/** Writes down how it ended, unless a tick has done so. */
async function end({ ports, life, now }: Acting, { intentId }: Pending, ended: Ended): Promise<void> {
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    const { state, death } = await life()
    // A death tells of the last action itself.
    if (death || state.pending?.intentId !== intentId) return
    const after = endAction(state, intentId, ended, { now: now(), at: now() })
    if (await ports.save({ ...after.state, version: state.version + 1 }, [after.event])) return
  }
  // It stays pending, and the next tick ends it.
}

function invalid(why: string): BardoError {
  return new BardoError('The permit does not allow this.', {
    code: 'CAPABILITY_INVALID',
    details: [why],
    remedy: 'Preview the action again.',
    docsPath: 'golem.md#capabilities',
  })
}

function busy({ intention }: Pending): BardoError {
  return new BardoError('Another action is under way.', {
    code: 'RATE_LIMITED',
    details: [summaryOf(intention)],
    remedy: 'Commit again once it has ended: the permit stays good until it expires.',
    docsPath: 'golem.md#capabilities',
  })
}

function contended(): BardoError {
  return new BardoError('Somebody else is writing this Golem.', {
    code: 'STORE_UNAVAILABLE',
    remedy: 'Commit again in a moment.',
  })
}

function underWay(intentId: string, cause?: unknown): BardoError {
  return new BardoError('The action has begun, and nobody knows yet how it ends.', {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    details: [`intent ${intentId}`, ...(cause instanceof BardoError ? [cause.shortMessage] : [])],
    remedy: 'Commit the same permit again in a moment; the next tick goes on with it too.',
    docsPath: 'golem.md#capabilities',
    ...(cause !== undefined && { cause }),
  })
}

function over(intentId: string): BardoError {
  return new BardoError('The action was sent before, and came to nothing.', {
    code: 'INTENT_CLOSED',
    outcome: 'landed',
    details: [`intent ${intentId}`],
    remedy: 'Explain the intent to see why, and preview again.',
    docsPath: 'explain.md',
  })
}
