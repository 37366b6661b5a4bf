import { BardoError, minedTransaction } from '@bardo/core'
import type { Hash } from 'viem'
import type { GolemEvent } from '../events/golemEvent.ts'
import { requireNotPaused } from '../observeOnly/paused.ts'
import { readSenses } from '../snapshot/readSenses.ts'
import type { Senses } from '../snapshot/tickPorts.ts'
import type { GolemState, Pending } from '../state/golemState.ts'
import { readStoredPreview } from '../state/storedState.ts'
import { summaryOf } from '../strategy/strategy.ts'
import { attemptAction, type Ended, endAction } from './endAction.ts'
import type { Acting } from './previewIntention.ts'
import { requireAble } from './requireAble.ts'
import { saveState } from './saveState.ts'
import { previewKey } from './sweepPreviews.ts'

/** The outcome of a committed action. */
export type Committed = {
  readonly transaction: Hash
  /** An upper bound. */
  readonly spentCents: bigint
}

/** The number of attempts if another process changes the state at the same time. */
const mostTurns = 5

/**
 * Commits the action of a capability in the same way as a tick: stores it as pending, executes it through the
 * journal, and ends it. A second call with the same intent returns the outcome of the first. If the process
 * crashes on the way, the next tick finishes the action.
 */
export async function commitCapability(
  acting: Acting,
  capabilityId: string,
  intentId: string,
): Promise<Committed> {
  const { valueCents, preview } = await usable(acting, capabilityId, intentId)
  const landed = await landedBefore(acting, intentId, valueCents)
  if (landed) return landed
  if (!preview) throw invalid('the capability is unknown')
  const pending = { intentId, capabilityId, ...preview }
  const { state, senses } = await begin(acting, pending)
  const ended = await attemptAction(acting.ports, state, pending, state.tick + 1).catch((error: unknown) => {
    throw underWay(intentId, error)
  })
  if (ended.type === 'onItsWay') throw underWay(intentId, undefined, ended.because)
  await end(acting, pending, ended, senses)
  await acting.parts.store.grimoire.remove(acting.parts.id, previewKey(capabilityId))
  if (ended.type !== 'landed') throw ended.error
  return { transaction: ended.transaction, spentCents: ended.spentCents }
}

/**
 * Returns the value limit and the preview of the capability. Refuses an unusable capability before anything
 * is written.
 */
async function usable({ parts, life }: Acting, capabilityId: string, intentId: string) {
  const { id, store } = parts
  const [entry, preview, { state }] = await Promise.all([
    store.capabilities.find(capabilityId),
    store.grimoire.get(id, previewKey(capabilityId)),
    life(),
  ])
  // The preview of a consumed capability may already be deleted. The journal says whether its action landed.
  if (!entry || (!preview && entry.consumedBy === undefined)) throw invalid('the capability is unknown')
  const { consumedBy, capability } = entry
  if (capability.golem !== id) throw invalid('it belongs to another Golem')
  if (consumedBy !== undefined && consumedBy !== intentId) throw invalid('it was already used')
  if (consumedBy === undefined && state.tick + 1 >= capability.expiresAtTick)
    throw invalid(
      `it was valid until before tick ${capability.expiresAtTick}; the current tick is ${state.tick + 1}`,
    )
  return { valueCents: capability.valueLimitCents, preview: preview && readStoredPreview(preview.body) }
}

/**
 * Returns the outcome from the journal. An action that has landed is reported again, whatever happened to the
 * Golem since.
 */
async function landedBefore(
  { parts, life }: Acting,
  intentId: string,
  valueCents: bigint,
): Promise<Committed | undefined> {
  const record = await parts.store.journal.find(intentId)
  const settlement = record?.settlement
  const { state, death } = await life()
  // While the state has it as pending, the first caller or tick to reach it ends it.
  const isOpen = state.pending?.intentId === intentId && !death
  if (settlement?.kind === 'landed' && settlement.mined.status === 'success' && !isOpen)
    return { transaction: minedTransaction(settlement.mined), spentCents: valueCents }
  if (record && !settlement && death) throw underWay(intentId)
  if (settlement && !isOpen) throw over(intentId)
  return undefined
}

/** Stores the action as pending before it is executed. An action that is already pending continues. */
async function begin({ ports, life }: Acting, pending: Pending): Promise<Begun> {
  const { intentId: intent, intention, valueCents } = pending
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    const { state, death, pausedAt } = await life()
    requireAble(state, death, undefined)
    if (state.pending?.intentId === intent) return { state, senses: undefined }
    requireNotPaused(pausedAt)
    if (state.pending) throw busy(state.pending)
    const senses = await readSenses(ports, state)
    requireAble(state, death, senses.outage)
    const next: GolemState = { ...state, pending, version: state.version + 1 }
    const summary = summaryOf(intention)
    const intended: GolemEvent = { name: 'action.intended', intent, summary, valueCents }
    if (await saveState(ports, senses, next, [intended])) return { state: next, senses }
  }
  throw contended()
}

/** Records how the action ended, unless a tick has already recorded it. */
async function end(
  { ports, life, now }: Acting,
  { intentId }: Pending,
  ended: Ended,
  senses: Senses | undefined,
): Promise<void> {
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    const { state, death } = await life()
    // The death records the outcome of the last action itself.
    if (death || state.pending?.intentId !== intentId) return
    const after = endAction(state, intentId, ended, { now: now(), at: now() })
    const next = { ...after.state, version: state.version + 1 }
    if (await saveState(ports, senses ?? (await sensesNow(state)), next, [after.event])) return
  }
  // The action stays pending, and the next tick ends it.

  /**
   * Senses for an action that another call began: the key's events need the current budget. If they cannot be
   * read, the commit succeeds without these events.
   */
  function sensesNow(state: GolemState): Promise<Senses | undefined> {
    return readSenses(ports, state).catch(() => undefined)
  }
}

/**
 * The state with the pending action, and the senses that were read for it; undefined if another call stored
 * the action.
 */
type Begun = { readonly state: GolemState; readonly senses: Senses | undefined }

function invalid(why: string): BardoError {
  return new BardoError('The capability does not allow this action.', {
    code: 'CAPABILITY_INVALID',
    details: [why],
    remedy: 'Preview the action again.',
    docsPath: 'golem.md#capabilities',
  })
}

function busy({ intention }: Pending): BardoError {
  return new BardoError('Another action is in progress.', {
    code: 'RATE_LIMITED',
    details: [summaryOf(intention)],
    remedy: 'Commit again once it has ended: the capability stays valid until it expires.',
    docsPath: 'golem.md#capabilities',
  })
}

function contended(): BardoError {
  return new BardoError('Another process is changing this Golem.', {
    code: 'STORE_UNAVAILABLE',
    remedy: 'Commit again in a few seconds.',
  })
}

function underWay(intentId: string, cause?: unknown, waitsFor?: string): BardoError {
  const what = waitsFor ? 'waits for co-signatures' : 'was started, and its outcome is not known yet'
  return new BardoError(`The action ${what}.`, {
    code: 'OUTCOME_UNKNOWN',
    outcome: 'unknown',
    details: [
      `intent ${intentId}`,
      ...(waitsFor ? [waitsFor] : []),
      ...(cause instanceof BardoError ? [cause.shortMessage] : []),
    ],
    remedy: 'Commit the same capability again in a few seconds; the next tick continues the action too.',
    docsPath: 'golem.md#capabilities',
    ...(cause !== undefined && { cause }),
  })
}

function over(intentId: string): BardoError {
  return new BardoError('The action was sent before, and failed.', {
    code: 'INTENT_CLOSED',
    outcome: 'landed',
    details: [`intent ${intentId}`],
    remedy: 'Use explain_action with this intent for the reason, then preview again.',
    docsPath: 'explain.md',
  })
}
