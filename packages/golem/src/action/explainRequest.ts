import type { Explanation } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Action } from './action.ts'
import { explainAction } from './explainAction.ts'

/**
 * The furthest moment ahead to simulate, in seconds. Beyond it the prices count as stale and the heartbeat as
 * missed, though both will have been renewed by then.
 */
const farthestSeconds = 3_600n

/**
 * Explains how the chain would judge an action request. If the request only comes too soon, it is explained
 * for the moment when the signed pause is over: another refusal at that moment tells the caller more than
 * "wait".
 */
export async function explainRequest(
  parts: Pick<GolemParts, 'client' | 'deployment'>,
  permission: SignedPermission,
  action: Action,
): Promise<Explanation> {
  const now = await explainAction(parts, permission, action)
  const free = pauseEnd(now)
  if (free === undefined || free > now.block.timestamp + farthestSeconds) return now
  const then = await explainAction(parts, permission, action, free)
  return then.type === 'pass' ? now : then
}

/** When the signed pause is over, in Unix seconds; undefined if the pause is not what refuses the action. */
function pauseEnd({ verdict }: Explanation): bigint | undefined {
  const { name, args } = verdict.first?.refusal ?? { name: undefined, args: [] }
  const [last, pause] = args
  return name === 'TooSoon' && typeof last === 'bigint' && typeof pause === 'bigint'
    ? last + pause
    : undefined
}
