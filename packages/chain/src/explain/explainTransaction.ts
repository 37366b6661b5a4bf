import {
  BardoError,
  type Deployment,
  decodeRevert,
  type Explanation,
  explain,
  type Revert,
  type RevertLocation,
} from '@bardo/core'
import { EntryPoint } from '@metamask/delegation-abis'
import {
  type Address,
  type Hash,
  type Hex,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { withNodeErrors } from '../nodeError.ts'
import { explainRedemption } from './explainRedemption.ts'
import { type FoundRedemption, redemptionsIn, redemptionsOf } from './findRedemptions.ts'
import { readSpending, type Spending } from './readSpending.ts'
import type { SimulatedCall } from './simulate.ts'
import { type CallFrame, findRevert, traceTransaction } from './trace.ts'

/** One context that a transaction redeemed or tried to redeem. */
export type ExplainedContext = { readonly explanation: Explanation; readonly spending: readonly Spending[] }

/** What a mined transaction did with delegations. */
export type TransactionExplanation = {
  readonly hash: Hash
  readonly status: 'success' | 'reverted'
  readonly block: bigint
  /**
   * Number of transactions before it in its block. Of those, the simulation includes the ones to the manager
   * and the EntryPoint.
   */
  readonly preceding: number
  /** Every context in order, up to the one that failed. */
  readonly contexts: readonly ExplainedContext[]
  /** Why the transaction as a whole failed, if the node can tell. */
  readonly revert: Revert | undefined
}

/**
 * Why a mined transaction was refused (link, caveat, numbers), or what it spent.
 *
 * @example
 * const { contexts } = await explainTransaction(client, deployment, hash)
 */
export async function explainTransaction(
  client: PublicClient,
  deployment: Deployment,
  hash: Hash,
): Promise<TransactionExplanation> {
  const { transaction, receipt } = await readMined(client, hash)
  const { framework } = deployment
  const trace = await traceTransaction(client, hash)
  const call = transaction.to && { from: transaction.from, to: transaction.to, data: transaction.input }
  const redemptions = trace ? redemptionsIn(trace, framework) : call ? redemptionsOf(call, framework) : []
  if (redemptions.length === 0) {
    throw new BardoError('This transaction does not redeem a delegation.', {
      code: 'INVALID_INPUT',
      details: [
        `transaction ${hash}`,
        trace
          ? 'it makes no call to the DelegationManager'
          : 'the node cannot trace, so only the transaction’s own calldata was checked',
      ],
      docsPath: 'explain.md#a-transaction',
    })
  }
  const around = await surroundings(client, deployment, receipt)
  const contexts: ExplainedContext[] = []
  for (const redemption of redemptions) contexts.push(...(await explainFound(around, redemption)))
  return {
    hash,
    status: receipt.status,
    block: receipt.blockNumber,
    preceding: receipt.transactionIndex,
    contexts,
    revert: trace?.error === undefined ? undefined : decodeRevert(trace.output ?? '0x'),
  }
}

async function readMined(client: PublicClient, hash: Hash) {
  try {
    const [transaction, receipt] = await Promise.all([
      client.getTransaction({ hash }),
      client.getTransactionReceipt({ hash }),
    ])
    return { transaction, receipt }
  } catch (error) {
    if (!(error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError)) {
      return withNodeErrors(() => Promise.reject(error))
    }
    throw new BardoError('The node has no mined transaction with this hash.', {
      code: 'INVALID_INPUT',
      details: [hash],
      remedy: 'Wait until it is mined, or use a node on the right chain.',
      cause: error,
    })
  }
}

/** What all redemptions of a transaction share. */
type Surroundings = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly receipt: TransactionReceipt
  readonly time: bigint
  readonly preceding: readonly SimulatedCall[]
}

/** The block's time, and the transactions before this one that may have changed what the caveats count. */
async function surroundings(
  client: PublicClient,
  deployment: Deployment,
  receipt: TransactionReceipt,
): Promise<Surroundings> {
  const { DelegationManager, EntryPoint: entryPoint } = deployment.framework
  const { timestamp, transactions } = await withNodeErrors(() =>
    client.getBlock({ blockNumber: receipt.blockNumber, includeTransactions: true }),
  )
  const preceding = transactions.slice(0, receipt.transactionIndex).flatMap(({ from, to, input, value }) => {
    const counts = to && (isAddressEqual(to, DelegationManager) || isAddressEqual(to, entryPoint))
    return counts ? [{ account: from, to, data: input, value }] : []
  })
  return { client, deployment, receipt, time: timestamp, preceding }
}

async function explainFound(
  { client, deployment, receipt, time, preceding }: Surroundings,
  { redeemer, contexts, frame }: FoundRedemption,
): Promise<readonly ExplainedContext[]> {
  const reason = frame ? revertOfFrame(frame) : revertReason(receipt, redeemer)
  const failure = frame && findRevert(frame, contexts)
  const isDone = reason === undefined && (frame !== undefined || receipt.status === 'success')
  const explained: ExplainedContext[] = []
  for (const [index, context] of contexts.entries()) {
    // To the manager an empty context means the redeemer acts for itself: no caveats, nothing to explain.
    if (context.links.length === 0) continue
    const simulated = await explainRedemption(client, deployment, {
      ...context,
      redeemer,
      earlier: contexts.slice(0, index),
      preceding,
      block: receipt.blockNumber - 1n,
      time,
    })
    // Without a trace, the failed context is the first that does not pass in the simulation, or else the
    // last.
    const isLast = index === contexts.length - 1
    const isCulprit =
      index === (failure?.context ?? (isLast || simulated.type !== 'pass' ? index : undefined))
    const explanation =
      isDone || !isCulprit ? asPassed(simulated) : asFailed(simulated, reason, failure?.place)
    const isSpent = isDone && receipt.status === 'success'
    const spending = isSpent ? await readSpending(client, deployment, context.links, receipt.blockNumber) : []
    explained.push({ explanation, spending })
    if (explanation.type !== 'pass') break
  }
  return explained
}

function asPassed(simulated: Explanation): Explanation {
  return explain({ ...simulated, redemption: { type: 'done' } })
}

/** Replaces the simulated result with what really happened. */
function asFailed(
  simulated: Explanation,
  reason: Hex | undefined,
  at: RevertLocation | undefined,
): Explanation {
  if (reason === undefined) return simulated
  const place = at ?? (simulated.redemption.type === 'reverted' ? simulated.redemption.at : undefined)
  return explain({ ...simulated, redemption: { type: 'reverted', revert: decodeRevert(reason), at: place } })
}

function revertOfFrame({ error, output }: CallFrame): Hex | undefined {
  return error === undefined ? undefined : (output ?? '0x')
}

/**
 * The revert data of an account's failed operation, from the EntryPoint's events; `0x` if it has no reason.
 */
function revertReason({ logs }: TransactionReceipt, account: Address): Hex | undefined {
  const events = parseEventLogs({
    abi: EntryPoint,
    eventName: ['UserOperationRevertReason', 'UserOperationEvent'],
    logs,
  }).filter(({ args }) => isAddressEqual(args.sender, account))
  const reason = events.find((event) => event.eventName === 'UserOperationRevertReason')
  if (reason?.eventName === 'UserOperationRevertReason') return reason.args.revertReason
  const hasFailed = events.some((event) => event.eventName === 'UserOperationEvent' && !event.args.success)
  return hasFailed ? '0x' : undefined
}
