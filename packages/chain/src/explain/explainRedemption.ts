import {
  type Answer,
  BardoError,
  caveatRegistry,
  type Delegation,
  type DelegationQuestion,
  type Deployment,
  decodeContext,
  decodeRevert,
  type Execution,
  type Explanation,
  encodeRedeemCall,
  explain,
  hashDelegation,
  type Read,
  type RedeemedContext,
} from '@bardo/core'
import type { Address, Hex, PublicClient } from 'viem'
import { stateOf } from '../reads/answers.ts'
import { cageNonceSlot, fixedAnswers } from '../reads/ownAnswers.ts'
import { callNode, readNonces, readState } from '../reads/readState.ts'
import { evaluateRounds } from './evaluateRounds.ts'
import { nextBlock, type SimulatedCall, simulateExecution, simulateRedemption } from './simulate.ts'
import { findRevert, traceCall } from './trace.ts'

/** The redemption to explain. */
export type RedemptionQuestion = {
  readonly execution: Execution
  readonly redeemer: Address
  /** The parent block. Default: the newest. */
  readonly block?: bigint | undefined
  /** Unix seconds. Default: one second after that block. */
  readonly time?: bigint | undefined
  /** The contexts that the same call to the manager redeems before it. */
  readonly earlier?: readonly RedeemedContext[] | undefined
  /** Other calls in the same block, before it. */
  readonly preceding?: readonly SimulatedCall[] | undefined
  /** The reads of earlier explanations: with them the next explanation takes two round trips. */
  readonly memory?: ReadMemory | undefined
} & ({ readonly links: readonly Delegation[] } | { readonly context: Hex })

/** Reads by the hash of the leaf that needed them. */
export type ReadMemory = Map<Hex, readonly Read[]>

/**
 * Why a redemption would pass or not: every caveat of every link with its numbers, the result of the
 * account's own calls, and the node's own verdict.
 *
 * @example
 * const why = await explainRedemption(client, deployment, { context, execution, redeemer })
 * console.log(explanationToText(why, { registry, names }))
 */
export async function explainRedemption(
  client: PublicClient,
  deployment: Deployment,
  question: RedemptionQuestion,
): Promise<Explanation> {
  const links = 'links' in question ? question.links : decodeContext(question.context)
  const { execution, redeemer, earlier = [], preceding = [], memory } = question
  const [leaf] = links
  if (!leaf)
    throw new BardoError('The permission context is empty: it has no delegation to explain.', {
      code: 'INVALID_INPUT',
    })
  const manager = deployment.framework.DelegationManager
  const block = await nextBlock(client, question)
  const contexts = [...earlier, { links, execution }]
  const chain: Question = { chainId: deployment.chainId, manager, redeemer, execution }
  const registry = caveatRegistry(deployment)
  const key = hashDelegation(leaf)
  const trial = { block, manager, redeemer, contexts, preceding }
  const [seen, redemption] = await Promise.all([
    evaluateRounds({ links, registry, question: chain, remembered: memory?.get(key) ?? [] }, (reads) =>
      look({ client, deployment, trial }, reads),
    ),
    simulateRedemption(client, trial),
  ])
  memory?.set(key, seen.reads)
  const call = { from: redeemer, to: manager, data: encodeRedeemCall(contexts) }
  const result = redemption ?? (await callNode(client, call, block.parent))
  const parts = {
    links,
    redeemer,
    block: { number: seen.before.blockNumber, timestamp: seen.before.timestamp },
    verdict: seen.verdict,
  }
  const outcome = executionOutcome(seen.execution)
  if (result.ok) return explain({ ...parts, execution: outcome, redemption: { type: 'done' } })
  // A call cannot be traced after other calls.
  const trace = preceding.length > 0 ? undefined : await traceCall(client, call, block)
  const at = trace && findRevert(trace, contexts)?.place
  const revert = decodeRevert(result.data)
  return explain({
    ...parts,
    execution:
      outcome.type === 'reverted' && at?.type === 'execution' ? { ...outcome, target: at.target } : outcome,
    redemption: { type: 'reverted', revert, at },
  })
}

type Question = Omit<DelegationQuestion, 'before' | 'after'>

type Looking = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly trial: Parameters<typeof simulateRedemption>[1]
}

/** The chain before and, where the node can simulate and the account's calls work, after them. */
async function look({ client, deployment, trial }: Looking, reads: readonly Read[]) {
  const nonces = reads.filter((read) => cageNonceSlot(deployment, read))
  const [seen, slots] = await Promise.all([
    simulateExecution(client, { ...trial, reads: reads.filter((read) => !nonces.includes(read)) }),
    readNonces(client, deployment, nonces, trial.block.parent),
  ])
  if (!seen) {
    const before = await readState(client, deployment, reads, trial.block.parent)
    return { before, after: undefined, execution: undefined }
  }
  const fixed = fixedAnswers(deployment)
  return {
    before: stateOf(seen.clock, fixed, slots, seen.before),
    after: seen.execution.ok ? stateOf(seen.clock, fixed, slots, seen.after) : undefined,
    execution: seen.execution,
  }
}

function executionOutcome(execution: Answer | undefined): Explanation['execution'] {
  if (!execution) return { type: 'unknown' }
  if (execution.ok) return { type: 'done' }
  return { type: 'reverted', revert: decodeRevert(execution.data), target: undefined }
}
