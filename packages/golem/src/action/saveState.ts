import type { GolemEvent } from '../events/golemEvent.ts'
import type { Senses, TickPorts } from '../snapshot/tickPorts.ts'
import type { GolemState } from '../state/golemState.ts'

/**
 * Writes a state with its events, the owner requests that follow from them, and the key's own events. Returns
 * false if another process wrote first; then nothing is stored.
 */
export async function saveState(
  { keys, save }: Pick<TickPorts, 'keys' | 'save'>,
  senses: Senses | undefined,
  state: GolemState,
  events: readonly GolemEvent[],
): Promise<boolean> {
  if (!keys) return save(state, events)
  await keys.fileRequests(state.tick, events)
  const keyEvents = senses ? keys.keyEvents(senses, events) : []
  const isSaved = await save(state, [...events, ...keyEvents])
  if (isSaved) await keys.countUses(events)
  return isSaved
}
