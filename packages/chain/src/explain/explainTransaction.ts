import { BardoError, type Explanation, explain, type Revert, type RevertPlace } from '@bardo/core'
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
import type { Deployment } from '../deployments/deployment.ts'
import { asking } from '../state/nodeError.ts'
import { decodeRevert } from './decodeRevert.ts'
import { explainRedemption } from './explainRedemption.ts'
import { type FoundRedemption, redemptionsIn, redemptionsOf } from './findRedemptions.ts'
import { readSpending, type Spending } from './readSpending.ts'
import type { SimulatedCall } from './simulate.ts'
import { type CallFrame, placeOfRevert, traceTransaction } from './trace.ts'

/** One context that a transaction redeemed, or tried to. */
export type ExplainedContext = { readonly explanation: Explanation; readonly spending: readonly Spending[] }

/** What a mined transaction did with delegations. */
export type TransactionExplanation = {
  readonly hash: Hash
  readonly status: 'success' | 'reverted'
  readonly block: bigint
  /** How many transactions came before it in its block; of those, the ones to the manager and the EntryPoint count. */
  readonly preceding: number
  /** Every context in its turn, up to the one that failed. */
  readonly contexts: readonly ExplainedContext[]
  /** Why it failed as a whole, where the node says. */
  readonly revert: Revert | undefined
}

/**
 * Why a mined transaction was refused, by which link and caveat and with which numbers; or what it spent.
 *
 * @example
 * const { contexts } = await explainTransaction(client, deployment, hash)
 */
export async function explainTransaction(
  client: PublicClient,
  deployment: Deployment,
  hash: Hash,
): Promise<TransactionExplanation> {
  const { transaction, receipt } = await mined(client, hash)
  const { framework } = deployment
  const trace = await traceTransaction(client, hash)
  const call = transaction.to && { from: transaction.from, to: transaction.to, data: transaction.input }
  const found = trace ? redemptionsIn(trace, framework) : call ? redemptionsOf(call, framework) : []
  if (found.length === 0) {
    throw new BardoError('This transaction redeems no delegation.', {
      code: 'INVALID_INPUT',
      details: [
        `transaction ${hash}`,
        trace
          ? 'no call in it goes to the manager'
          : 'the node does not trace: only its own calldata was looked at',
      ],
      docsPath: 'explain.md#a-transaction',
    })
  }
  const around = await surroundings(client, deployment, receipt)
  const contexts: ExplainedContext[] = []
  for (const redemption of found) contexts.push(...(await explainFound(around, redemption)))
  return {
    hash,
    status: receipt.status,
    block: receipt.blockNumber,
    preceding: receipt.transactionIndex,
    contexts,
    revert: trace?.error === undefined ? undefined : decodeRevert(trace.output ?? '0x'),
  }
}

async function mined(client: PublicClient, hash: Hash) {
  try {
    const [transaction, receipt] = await Promise.all([
      client.getTransaction({ hash }),
      client.getTransactionReceipt({ hash }),
    ])
    return { transaction, receipt }
  } catch (error) {
    if (!(error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError)) {
      return asking(() => Promise.reject(error))
    }
    throw new BardoError('The node knows no such mined transaction.', {
      code: 'INVALID_INPUT',
      details: [hash],
      remedy: 'Wait until it is mined, or ask a node of the right chain.',
      cause: error,
    })
  }
}

/** What is the same for all redemptions of a transaction. */
type Surroundings = {
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly receipt: TransactionReceipt
  readonly time: bigint
  readonly preceding: readonly SimulatedCall[]
}

/** Its block, with the transactions before it that may have moved what the caveats count. */
async function surroundings(
  client: PublicClient,
  deployment: Deployment,
  receipt: TransactionReceipt,
): Promise<Surroundings> {
  const { DelegationManager, EntryPoint: entryPoint } = deployment.framework
  const { timestamp, transactions } = await asking(() =>
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
  const failure = frame && placeOfRevert(frame, contexts)
  const isDone = reason === undefined && (frame !== undefined || receipt.status === 'success')
  const explained: ExplainedContext[] = []
  for (const [index, context] of contexts.entries()) {
    // To the manager an empty context is the redeemer's own business: no caveat, nothing to explain.
    if (context.links.length === 0) continue
    const simulated = await explainRedemption(client, deployment, {
      ...context,
      redeemer,
      earlier: contexts.slice(0, index),
      preceding,
      block: receipt.blockNumber - 1n,
      time,
    })
    // Where nobody says which one failed, it is the first that does not pass on its own, or else the last.
    const isLast = index === contexts.length - 1
    const isCulprit = index === (failure?.context ?? (isLast || simulated.is !== 'pass' ? index : undefined))
    const explanation = isDone || !isCulprit ? passed(simulated) : failed(simulated, reason, failure?.place)
    const isSpent = isDone && receipt.status === 'success'
    const spending = isSpent ? await readSpending(client, deployment, context.links, receipt.blockNumber) : []
    explained.push({ explanation, spending })
    if (explanation.is !== 'pass') break
  }
  return explained
}

function passed(simulated: Explanation): Explanation {
  return explain({ ...simulated, redemption: { is: 'done' } })
}

/** What really happened, in the place of what was simulated. */
function failed(simulated: Explanation, reason: Hex | undefined, at: RevertPlace | undefined): Explanation {
  if (reason === undefined) return simulated
  const place = at ?? (simulated.redemption.is === 'reverted' ? simulated.redemption.at : undefined)
  return explain({ ...simulated, redemption: { is: 'reverted', revert: decodeRevert(reason), at: place } })
}

function revertOfFrame({ error, output }: CallFrame): Hex | undefined {
  return error === undefined ? undefined : (output ?? '0x')
}

/** What the EntryPoint noted about an account's failed operation: of one without a reason, only that it failed. */
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
