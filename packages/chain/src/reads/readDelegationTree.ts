import {
  buildTree,
  caveatRegistry,
  type Delegation,
  type DelegationTree,
  type Deployment,
  type Read,
  type RevocationFacts,
  treeReads,
} from '@bardo/core'
import { DelegationManager } from '@metamask/delegation-abis'
import { encodeFunctionData, getAbiItem, type Hex, type PublicClient, toEventSelector, zeroHash } from 'viem'
import { type PlacedLog, readAllLogs } from '../events/readLogs.ts'
import { withNodeErrors } from '../nodeError.ts'
import { readState } from './readState.ts'

/** A tree with its on-chain facts: the input of `treeToText`, `treeToJson` and `revocationState`. */
export type DelegationTreeState = { readonly tree: DelegationTree; readonly facts: RevocationFacts }

/**
 * The state of all delegations of one account: what is spent, and which transaction revoked what and when. If
 * the node no longer has that transaction, its hash is zero and its time is now; the delegation still counts
 * as revoked.
 *
 * @param since - a block before the first of these delegations was signed; limits the log search on slow
 *   nodes
 * @example
 * const { tree, facts } = await readDelegationTree(client, deployment, delegations)
 * console.log(treeToText(tree, { registry: caveatRegistry(deployment), names, facts }))
 */
export async function readDelegationTree(
  client: PublicClient,
  deployment: Deployment,
  delegations: readonly Delegation[],
  since = 0n,
): Promise<DelegationTreeState> {
  const tree = buildTree(delegations)
  const manager = deployment.framework.DelegationManager
  const hashes = [...tree.nodes.keys()]
  const flags = hashes.map((hash): [Hex, Read] => [hash, { to: manager, data: disabledCall(hash) }])
  const reads = [...flags.map(([, read]) => read), ...treeReads(tree, caveatRegistry(deployment), manager)]
  const state = await readState(client, deployment, reads)
  const revoked = flags.flatMap(([hash, read]) => {
    const answer = state.answer(read)
    return answer?.ok && /[^0]/.test(answer.data.slice(2)) ? [hash] : []
  })
  const disabled = await readRevocations(client, deployment, revoked, since, state.timestamp)
  return { tree, facts: { manager, state, disabled } }
}

function disabledCall(hash: Hex): Hex {
  return encodeFunctionData({ abi: DelegationManager, functionName: 'disabledDelegations', args: [hash] })
}

const disabledEvent = toEventSelector(getAbiItem({ abi: DelegationManager, name: 'DisabledDelegation' }))

// What common nodes accept in one topic position.
const maxTopics = 500

async function readRevocations(
  client: PublicClient,
  { framework }: Deployment,
  hashes: readonly Hex[],
  since: bigint,
  now: bigint,
): Promise<RevocationFacts['disabled']> {
  const revocations = new Map(hashes.map((hash) => [hash, { transaction: zeroHash as Hex, at: now }]))
  if (hashes.length === 0) return revocations
  const newest = await withNodeErrors(() => client.getBlockNumber({ cacheTime: 0 }))
  const queries = Array.from({ length: Math.ceil(hashes.length / maxTopics) }, (_, part) => ({
    address: framework.DelegationManager,
    topics: [[disabledEvent], hashes.slice(part * maxTopics, (part + 1) * maxTopics)],
  }))
  const logs = await readAllLogs(client, queries, since, newest)
  const times = await readTimes(client, logs)
  // In chain order: if a delegation was enabled in between, the last revocation counts.
  for (const { topics, transactionHash, blockNumber } of logs) {
    const hash = topics[1]
    if (hash && revocations.has(hash))
      revocations.set(hash, { transaction: transactionHash, at: times.get(blockNumber) ?? now })
  }
  return revocations
}

/** Most nodes put the time into the log. For the others, each block is read once. */
async function readTimes(
  client: PublicClient,
  logs: readonly PlacedLog[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const times = new Map<bigint, bigint>()
  for (const { blockNumber, blockTimestamp } of logs) {
    if (blockTimestamp !== undefined) times.set(blockNumber, blockTimestamp)
  }
  const missing = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter(
    (number) => !times.has(number),
  )
  const blocks = await withNodeErrors(() =>
    Promise.all(missing.map((blockNumber) => client.getBlock({ blockNumber }))),
  )
  for (const { number, timestamp } of blocks) times.set(number, timestamp)
  return times
}
