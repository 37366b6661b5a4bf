import { BardoError } from '@bardo/core'
import { requireAwake } from '../dreams/dream.ts'
import { failureOf } from '../events/failureOf.ts'
import type { ActionEvent } from '../events/golemEvent.ts'
import { feel } from '../mood/mood.ts'
import { outageOf } from '../recovery/recovery.ts'
import type { GolemState, Pending } from './golemState.ts'
import type { ActResult, TickPorts } from './tickPorts.ts'

/** How an action ended: it landed, or the runtime or the chain said no. */
export type Ended =
  | Extract<ActResult, { is: 'landed' }>
  | { readonly is: 'refused'; readonly where: 'runtime' | 'chain'; readonly error: BardoError }

/** Does what is pending. What may still come to its end is thrown, or on its way: it stays pending. */
export async function attemptAction(
  { act }: Pick<TickPorts, 'act'>,
  { dream }: Pick<GolemState, 'dream'>,
  pending: Pending,
  tick: number,
): Promise<Ended | Extract<ActResult, { is: 'onItsWay' }>> {
  try {
    requireAwake(dream)
    const result = await act(pending, tick)
    return result.is === 'refused' ? { ...result, where: 'chain' } : result
  } catch (error) {
    // Certain not to have been sent and never to be: there is nothing left to finish.
    const isOver = error instanceof BardoError && error.outcome === 'not-sent' && !error.retryable
    if (!isOver || outageOf(error)) throw error
    return { is: 'refused', where: 'runtime', error }
  }
}

/** What a Golem is after an action has ended, and what it tells. `at` is the chain's time. */
export function endAction(
  state: GolemState,
  intent: string,
  ended: Ended,
  { now, at }: { readonly now: number; readonly at: number },
): { readonly state: GolemState; readonly event: ActionEvent } {
  if (ended.is === 'landed') {
    const { transaction, spentCents, feeling } = ended
    const mood = feeling ? feel(state.mood, feeling, now) : state.mood
    return {
      state: { ...state, pending: undefined, mood },
      event: { name: 'action.landed', intent, transaction, spentCents },
    }
  }
  const { where, error } = ended
  const mood = feel(state.mood, { is: 'refusal' }, now)
  const chainRefusals = where === 'chain' ? [...state.chainRefusals, at] : state.chainRefusals
  const failure = failureOf(error)
  return {
    state: { ...state, pending: undefined, mood, chainRefusals },
    event: { name: 'action.refused', source: 'policy_violation', where, intent, failure },
  }
}
