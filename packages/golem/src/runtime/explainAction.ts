import { encodeExecution, explainRedemption } from '@bardo/chain'
import type { Explanation } from '@bardo/core'
import type { Action } from '../capability/action.ts'
import type { Charter } from './charter.ts'
import { callsOf } from './evaluateAction.ts'
import type { GolemParts } from './golemParts.ts'

/**
 * What the chain would make of an action: every link, every caveat, and the node's own word.
 *
 * @param time - in Unix seconds; now, unless it is later
 */
export function explainAction(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  { links }: Charter,
  action: Action,
  time?: bigint,
): Promise<Explanation> {
  const execution = encodeExecution(callsOf(action))
  return explainRedemption(client, deployment, { links, execution, redeemer: links[0].delegate, time })
}
