import { isQuiet } from '../heartbeatFile/heartbeatSchedule.ts'
import { observeReasons } from '../recovery/recovery.ts'
import { boundDecision } from '../strategies/boundDecision.ts'
import { type Decision, type View, wait } from '../strategies/strategy.ts'
import type { GolemState } from './golemState.ts'
import type { TickPorts } from './tickPorts.ts'

/** Step 6: what to do next. Asks the strategy only where something could be done, and bounds whatever it answers. */
export async function decide(
  { schedule, strategy }: Pick<TickPorts, 'schedule' | 'strategy'>,
  { recovery, dream }: GolemState,
  view: View,
): Promise<Decision> {
  if (recovery.is === 'observing') return wait(observeReasons[recovery.reason])
  if (dream.is !== 'awake') return wait(`dream ${dream.number}: ${dream.is}`)
  if (isQuiet(schedule.quietHours, view.now)) return wait('quiet hours')
  return boundDecision(await strategy(view), view)
}
