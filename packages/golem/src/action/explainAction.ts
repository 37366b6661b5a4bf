import { evaluateRedemption, explainRedemption, refusedRedemption, simulates } from '@bardo/chain'
import { type BardoError, type Explanation, encodeExecution } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Action } from './action.ts'

type Context = Pick<GolemParts, 'client' | 'deployment'>

/** Evaluates an action offline against the current chain state. Returns undefined if nothing refuses it. */
export async function evaluateAction(
  { client, deployment }: Context,
  permission: SignedPermission,
  action: Action,
): Promise<BardoError | undefined> {
  const refusal = await evaluateRedemption(client, deployment, trialOf(permission, action))
  return refusal && refusedRedemption(refusal, { deployment, step: 0, outcome: 'not-sent' })
}

/**
 * Simulates an action on the node. Returns undefined if it passes. Only a refusal is explained, link by link.
 */
export async function simulateAction(
  context: Context,
  permission: SignedPermission,
  action: Action,
): Promise<BardoError | undefined> {
  const { client, deployment } = context
  if (await simulates(client, deployment, trialOf(permission, action))) return undefined
  const explanation = await explainAction(context, permission, action)
  return refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
}

/**
 * Explains how the chain would judge an action: every link, every caveat, and the node's own answer.
 *
 * @param time - Unix seconds. Default: now
 */
export function explainAction(
  { client, deployment }: Context,
  permission: SignedPermission,
  action: Action,
  time?: bigint,
): Promise<Explanation> {
  return explainRedemption(client, deployment, { ...trialOf(permission, action), time })
}

function trialOf({ links }: SignedPermission, action: Action) {
  return { links, execution: encodeExecution(callsOf(action)), redeemer: links[0].delegate }
}

/** An action's calls in the form that the chain package takes. */
export function callsOf({ calls }: Action) {
  return calls.map(({ target, value, data }) => ({ to: target, value, data }))
}
