import {
  type Answer,
  BardoError,
  type ChainQuestion,
  type ChainState,
  type ChainVerdict,
  chainReads,
  type Delegation,
  decodeContext,
  type Execution,
  type Explanation,
  evaluateChain,
  explain,
  hashDelegation,
  type Read,
  type Registry,
} from '@bardo/core'
import type { Address, Hex, PublicClient } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { caveatRegistry } from '../deployments/registry.ts'
import { distinct, readKey, stateOf } from '../state/answers.ts'
import { asking } from '../state/nodeError.ts'
import { cageNonceSlot, fixedAnswers } from '../state/ownAnswers.ts'
import { callNode, readNonces, readState } from '../state/readState.ts'
import { decodeRevert } from './decodeRevert.ts'
import { encodeRedeemCall, type RedeemedContext } from './redeemCall.ts'
import { type NextBlock, type SimulatedCall, simulateExecution, simulateRedemption } from './simulate.ts'
import { placeOfRevert, traceCall } from './trace.ts'

/** What is asked about. */
export type RedemptionQuestion = {
  readonly execution: Execution
  readonly redeemer: Address
  /** Built on this block; on the newest unless told otherwise. */
  readonly block?: bigint | undefined
  /** Unix seconds; a second after that block unless told otherwise. */
  readonly time?: bigint | undefined
  /** What the same call to the manager redeems before it. */
  readonly earlier?: readonly RedeemedContext[] | undefined
  /** What else happens in the block before it. */
  readonly preceding?: readonly SimulatedCall[] | undefined
  /** What was asked last time: with it the next answer takes two round trips, whatever the caveats ask. */
  readonly memory?: ReadMemory | undefined
} & ({ readonly links: readonly Delegation[] } | { readonly context: Hex })

/** Questions by the leaf that they were asked for. */
export type ReadMemory = Map<Hex, readonly Read[]>

/** One answer may be needed to ask the next; more rounds than this no caveat of ours takes. */
const maxRounds = 8

/**
 * Why a redemption would pass or not: every caveat of every link with its numbers, the account's own calls, and what the
 * node itself makes of the redemption.
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
    throw new BardoError('There is nothing to explain without a delegation.', { code: 'INVALID_INPUT' })
  const manager = deployment.framework.DelegationManager
  const block = await nextBlock(client, question)
  const contexts = [...earlier, { links, execution }]
  const chain: Question = { chainId: deployment.chainId, manager, redeemer, execution }
  const registry = caveatRegistry(deployment)
  const key = hashDelegation(leaf)
  const trial = { block, manager, redeemer, contexts, preceding }
  const [seen, redemption] = await Promise.all([
    judge({ client, deployment, registry, links, chain, trial, remembered: memory?.get(key) ?? [] }),
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
  if (result.ok) return explain({ ...parts, execution: outcome, redemption: { is: 'done' } })
  // A call cannot be traced behind others.
  const trace = preceding.length > 0 ? undefined : await traceCall(client, call, block)
  const at = trace && placeOfRevert(trace, contexts)?.place
  const revert = decodeRevert(result.data)
  return explain({
    ...parts,
    execution:
      outcome.is === 'reverted' && at?.is === 'execution' ? { ...outcome, target: at.target } : outcome,
    redemption: { is: 'reverted', revert, at },
  })
}

type Question = Omit<ChainQuestion, 'before' | 'after'>

async function nextBlock(client: PublicClient, { block, time }: RedemptionQuestion): Promise<NextBlock> {
  const { number, timestamp } = await asking(() =>
    client.getBlock(block === undefined ? {} : { blockNumber: block }),
  )
  const next = timestamp + 1n
  return { parent: number, number: number + 1n, time: time !== undefined && time > next ? time : next }
}

type Judging = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly registry: Registry
  readonly links: readonly Delegation[]
  readonly chain: Question
  readonly trial: Parameters<typeof simulateRedemption>[1]
  readonly remembered: readonly Read[]
}

type Judged = {
  readonly before: ChainState
  readonly execution: Answer | undefined
  readonly verdict: ChainVerdict
  readonly reads: readonly Read[]
}

/** Asks, judges, and asks again for what the judging missed. */
async function judge({ remembered, ...judging }: Judging): Promise<Judged> {
  const { links, registry, chain } = judging
  let reads = distinct([...chainReads(links, registry, chain), ...remembered])
  for (let round = 1; ; round += 1) {
    const { before, after, execution } = await look(judging, reads)
    const verdict = evaluateChain(links, registry, { ...chain, before, after })
    const known = new Set(reads.map(readKey))
    const missing = missingIn(verdict).filter((read) => !known.has(readKey(read)))
    if (missing.length === 0 || round === maxRounds) return { before, execution, verdict, reads }
    reads = distinct([...reads, ...missing])
  }
}

function missingIn({ manager, caveats }: ChainVerdict): readonly Read[] {
  const verdicts = [manager, ...caveats.map(({ verdict }) => verdict)]
  return verdicts.flatMap((verdict) =>
    verdict.is === 'unknown' && typeof verdict.missing !== 'string' ? verdict.missing : [],
  )
}

/** The chain before and, where the node can simulate and the account's calls work, after them. */
async function look(
  { client, deployment, trial }: Judging | Omit<Judging, 'remembered'>,
  reads: readonly Read[],
) {
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
  if (!execution) return { is: 'unknown' }
  if (execution.ok) return { is: 'done' }
  return { is: 'reverted', revert: decodeRevert(execution.data), target: undefined }
}
