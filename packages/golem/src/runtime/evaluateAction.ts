import { caveatRegistry, decodeRevert, encodeExecution, readState, refusedRedemption } from '@bardo/chain'
import { type BardoError, chainReads, evaluateChain, explain } from '@bardo/core'
import type { Action } from '../capability/action.ts'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'

/**
 * What the library says to an action by what the chain shows now: every link and every caveat, without running
 * anything. Undefined where nothing refuses it yet; what depends on what moves is for the simulation.
 */
export async function evaluateAction(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  { links }: Charter,
  action: Action,
): Promise<BardoError | undefined> {
  const execution = encodeExecution(callsOf(action))
  const redeemer = links[0].delegate
  const manager = deployment.framework.DelegationManager
  const registry = caveatRegistry(deployment)
  const question = { chainId: deployment.chainId, manager, redeemer, execution }
  const before = await readState(client, deployment, chainReads(links, registry, question))
  const verdict = evaluateChain(links, registry, { ...question, before })
  const refusal = verdict.manager.is === 'refuse' ? verdict.manager : verdict.first?.refusal
  if (verdict.is !== 'refuse' || !refusal) return undefined
  const explanation = explain({
    links,
    redeemer,
    block: { number: before.blockNumber, timestamp: before.timestamp },
    verdict,
    execution: { is: 'unknown' },
    redemption: { is: 'reverted', revert: decodeRevert(refusal.data), at: undefined },
  })
  return refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
}

/** An action's calls as the chain's tools take them. */
export function callsOf({ calls }: Action) {
  return calls.map(({ target, value, data }) => ({ to: target, value, data }))
}
