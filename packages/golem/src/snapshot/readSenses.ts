import type { GolemState } from '../state/golemState.ts'
import type { Senses, TickPorts } from './tickPorts.ts'

/**
 * Reads the senses for one decision, rotates the key if that is due, and marks the senses as stale if the
 * signed permission was replaced meanwhile.
 */
export async function readSenses(
  ports: Pick<TickPorts, 'sense' | 'keys' | 'isReplaced'>,
  state: GolemState,
): Promise<Senses> {
  const seen = await ports.sense(state)
  const senses = (await ports.keys?.rotateIfDue(seen, state)) ?? seen
  if (!(await ports.isReplaced?.())) return senses
  return { ...senses, outage: senses.outage ?? 'regranting', isStale: true }
}
