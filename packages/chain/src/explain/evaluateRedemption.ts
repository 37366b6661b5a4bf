import {
  caveatRegistry,
  type Delegation,
  type Deployment,
  decodeRevert,
  type Execution,
  type Explanation,
  encodeRedeemCall,
  explain,
} from '@bardo/core'
import type { Address, PublicClient } from 'viem'
import { callNode, readState } from '../reads/readState.ts'
import { evaluateRounds } from './evaluateRounds.ts'
import { nextBlock, simulateRedemption } from './simulate.ts'

/** Who redeems what, under which links (leaf first). */
export type RedemptionTrial = {
  readonly links: readonly [Delegation, ...Delegation[]]
  readonly execution: Execution
  readonly redeemer: Address
}

/**
 * Evaluates a redemption by what the chain shows now, without running it: every link and every caveat. Undefined if nothing
 * refuses it so far; what depends on the execution itself is for {@link simulates}.
 *
 * @example
 * const refusal = await evaluateRedemption(client, deployment, { links, execution, redeemer })
 * if (refusal) console.log(refusal.verdict.first?.refusal.name)
 */
export async function evaluateRedemption(
  client: PublicClient,
  deployment: Deployment,
  { links, execution, redeemer }: RedemptionTrial,
): Promise<Explanation | undefined> {
  const { chainId, framework } = deployment
  const question = { chainId, manager: framework.DelegationManager, redeemer, execution }
  const evaluation = { links, registry: caveatRegistry(deployment), question }
  const { before, verdict } = await evaluateRounds(evaluation, async (reads) => ({
    before: await readState(client, deployment, reads),
  }))
  const refusal = verdict.manager.type === 'refuse' ? verdict.manager : verdict.first?.refusal
  if (verdict.type !== 'refuse' || !refusal) return undefined
  return explain({
    links,
    redeemer,
    block: { number: before.blockNumber, timestamp: before.timestamp },
    verdict,
    execution: { type: 'unknown' },
    redemption: { type: 'reverted', revert: decodeRevert(refusal.data), at: undefined },
  })
}

/** Whether the node carries the redemption out in the next block. For the reason why not, see `explainRedemption`. */
export async function simulates(
  client: PublicClient,
  deployment: Deployment,
  { links, execution, redeemer }: RedemptionTrial,
): Promise<boolean> {
  const manager = deployment.framework.DelegationManager
  const contexts = [{ links, execution }]
  const block = await nextBlock(client)
  const simulated = await simulateRedemption(client, { block, manager, redeemer, contexts, preceding: [] })
  const call = { from: redeemer, to: manager, data: encodeRedeemCall(contexts) }
  return (simulated ?? (await callNode(client, call, block.parent))).ok
}
