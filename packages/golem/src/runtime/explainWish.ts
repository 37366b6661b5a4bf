import type { Explanation } from '@bardo/core'
import type { Action } from '../capability/action.ts'
import type { Charter } from './charter.ts'
import { explainAction } from './explainAction.ts'
import type { GolemParts } from './golemParts.ts'

/** So far ahead the chain is asked. Further on prices are stale, and a heartbeat is missing that will have come. */
const farthestSeconds = 3_600n

/**
 * What the chain would make of a wish. Where it only comes too soon, it is asked about for the moment when its pause is
 * over: what else stands in its way then is worth more than to wait.
 */
export async function explainWish(
  parts: Pick<GolemParts, 'client' | 'deployment'>,
  charter: Charter,
  action: Action,
): Promise<Explanation> {
  const now = await explainAction(parts, charter, action)
  const free = pauseEnd(now)
  if (free === undefined || free > now.block.timestamp + farthestSeconds) return now
  const then = await explainAction(parts, charter, action, free)
  return then.is === 'pass' ? now : then
}

/** When a pause that is signed is over, in Unix seconds; undefined where it is not what refuses. */
function pauseEnd({ verdict }: Explanation): bigint | undefined {
  const { name, args } = verdict.first?.refusal ?? { name: undefined, args: [] }
  const [last, pause] = args
  return name === 'TooSoon' && typeof last === 'bigint' && typeof pause === 'bigint'
    ? last + pause
    : undefined
}
