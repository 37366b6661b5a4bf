import { BardoError } from '@bardo/core'
import { requireAwake } from '../dreams/dream.ts'
import { failureOf } from '../events/failureOf.ts'
import type { ActionEvent } from '../events/golemEvent.ts'
import { feel } from '../mood/mood.ts'
import { outageOf } from '../observeOnly/observeOnly.ts'
import type { ActResult, TickPorts } from '../snapshot/tickPorts.ts'
import type { GolemState, Pending } from '../state/golemState.ts'

/** How an action ended: it landed, the runtime or the chain refused it, or it waits for a later tick. */
export type Ended =
  | Extract<ActResult, { type: 'landed' }>
  | { readonly type: 'postponed'; readonly error: BardoError }
  | { readonly type: 'refused'; readonly where: 'runtime' | 'chain'; readonly error: BardoError }

/** Refusals of an action that the guard allowed a moment ago: the price or the budget moved in between. */
const driftCodes: readonly string[] = ['PRICE_MOVED', 'PRICE_UNUSABLE', 'TOO_SOON', 'SPEND_LIMIT_EXCEEDED']

/**
 * Refusals that break no bound: the next tick decides again. INTENT_CLOSED: a rotation closes the intents
 * that the old key had not signed. TOO_FEW_SIGNATURES: co-signers refused, or did not answer in time.
 * GOLEM_PAUSED: the owner paused the Golem before the action was sent.
 */
const passingCodes: readonly string[] = [...driftCodes, 'INTENT_CLOSED', 'TOO_FEW_SIGNATURES', 'GOLEM_PAUSED']

/**
 * The owner replaced or revoked the delegation, or its window is over. Whether the Golem dies of it is
 * decided elsewhere.
 */
const endedCodes: readonly string[] = ['DELEGATION_DISABLED', 'DELEGATION_EXPIRED']

/**
 * Whether the refusal comes from the price, the time, a race or the owner, and not from an attempt to break a
 * bound.
 */
function isPassing({ code, retryable }: BardoError): boolean {
  return retryable || endedCodes.includes(code)
}

/** A refusal by the guard. It is a violation, unless it passes with the price, the time or a new grant. */
export function refusedByGuard(error: BardoError): Ended {
  if (isPassing(error)) return { type: 'postponed', error }
  return { type: 'refused', where: 'runtime', error }
}

/**
 * Executes the pending action. If the action may still land, this throws or returns `onItsWay`, and the
 * action stays pending.
 */
export async function attemptAction(
  { execute }: Pick<TickPorts, 'execute'>,
  { dream }: Pick<GolemState, 'dream'>,
  pending: Pending,
  tick: number,
): Promise<Ended | Extract<ActResult, { type: 'onItsWay' }>> {
  try {
    requireAwake(dream)
    const result = await execute(pending, tick)
    if (result.type !== 'refused') return result
    const { error } = result
    return isPassing(error) || driftCodes.includes(error.code)
      ? { type: 'postponed', error }
      : { ...result, where: 'chain' }
  } catch (error) {
    // The action was certainly not sent: there is nothing left to finish.
    const isUnsent = error instanceof BardoError && error.outcome === 'not-sent'
    if (!isUnsent || outageOf(error)) throw error
    if (passingCodes.includes(error.code)) return { type: 'postponed', error }
    if (error.retryable) throw error
    return { type: 'refused', where: 'runtime', error }
  }
}

/** The state of a Golem after an action has ended, and the event to record. `at` is the chain's time. */
export function endAction(
  state: GolemState,
  intent: string,
  ended: Ended,
  { now, at }: { readonly now: number; readonly at: number },
): { readonly state: GolemState; readonly event: ActionEvent } {
  if (ended.type === 'landed') {
    const { transaction, spentCents, feeling } = ended
    const mood = feeling ? feel(state.mood, feeling, now) : state.mood
    return {
      state: { ...state, pending: undefined, mood },
      event: { name: 'action.landed', intent, transaction, spentCents },
    }
  }
  if (ended.type === 'postponed')
    return {
      state: { ...state, pending: undefined },
      event: { name: 'action.postponed', intent, failure: failureOf(ended.error) },
    }
  const { where, error } = ended
  const mood = feel(state.mood, { type: 'refusal' }, now)
  const chainRefusals = where === 'chain' ? [...state.chainRefusals, at] : state.chainRefusals
  const failure = failureOf(error)
  return {
    state: { ...state, pending: undefined, mood, chainRefusals },
    event: { name: 'action.refused', source: 'policy_violation', where, intent, failure },
  }
}
