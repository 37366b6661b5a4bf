import {
  assumeCoSigned,
  evaluateRedemption,
  explainRedemption,
  refusedRedemption,
  simulates,
} from '@bardo/chain'
import { type BardoError, type Explanation, encodeExecution } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Action } from './action.ts'

type Context = Pick<GolemParts, 'client' | 'deployment'>

/**
 * Evaluates an action offline against the current chain state, as if enough co-signers had signed. Returns
 * undefined if nothing refuses it.
 */
export async function evaluateAction(
  context: Context,
  permission: SignedPermission,
  action: Action,
): Promise<BardoError | undefined> {
  const { deployment } = context
  const { client, trial } = trialOf(context, permission, action)
  const refusal = await evaluateRedemption(client, deployment, trial)
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
  const { deployment } = context
  const { client, trial } = trialOf(context, permission, action)
  if (await simulates(client, deployment, trial)) return undefined
  const explanation = await explainAction(context, permission, action)
  return refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
}

/**
 * Explains how the chain would judge an action: every link, every caveat, and the node's own answer.
 *
 * @param time - Unix seconds. Default: now
 */
export function explainAction(
  context: Context,
  permission: SignedPermission,
  action: Action,
  time?: bigint,
): Promise<Explanation> {
  const { client, trial } = trialOf(context, permission, action)
  return explainRedemption(client, context.deployment, { ...trial, time })
}

function trialOf(context: Context, permission: SignedPermission, action: Action) {
  const { client, links } = assumeCoSigned({ ...context, links: permission.links })
  const trial = { links, execution: encodeExecution(callsOf(action)), redeemer: links[0].delegate }
  return { client, trial }
}

/** An action's calls in the form that the chain package takes. */
export function callsOf({ calls }: Action) {
  return calls.map(({ target, value, data }) => ({ to: target, value, data }))
}
