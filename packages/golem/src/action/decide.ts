import { isQuiet } from '../config/heartbeatSchedule.ts'
import { cleanText } from '../events/cleanText.ts'
import { observeReasons } from '../observeOnly/observeOnly.ts'
import type { TickPorts } from '../snapshot/tickPorts.ts'
import type { GolemState } from '../state/golemState.ts'
import { boundDecision } from '../strategy/boundDecision.ts'
import { type Decision, type View, wait } from '../strategy/strategy.ts'
import { windDown } from '../strategy/windDown.ts'

/** Step 6: decides what to do next. Asks the strategy only if the Golem may act, and bounds its answer. */
export async function decide(
  { schedule, strategy }: Pick<TickPorts, 'schedule' | 'strategy'>,
  { recovery, dream }: GolemState,
  view: View,
): Promise<Decision> {
  if (recovery.type === 'observing') return wait(observeReasons[recovery.reason])
  if (dream.type !== 'awake') return wait(`dream ${dream.number}: ${dream.type}`)
  if (isQuiet(schedule.quietHours, view.now)) return wait('quiet hours')
  // The stored request decides how it continues; the number here has no effect.
  if (view.replicants?.isUnfinished)
    return { type: 'replicate', cents: view.replicants.dayCents, because: 'its creation was interrupted' }
  // An order of the runtime, not of the strategy: a model cannot keep what the Golem has to give back.
  const ending = windDown(view)
  if (ending) return ending
  const decision = await strategy(view)
  // A language model may have written the reason, and the reason is stored with the pending action.
  return boundDecision({ ...decision, because: cleanText(decision.because) }, view)
}
