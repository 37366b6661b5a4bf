import type { JournalRecord } from '@bardo/core'
import { type Address, getAbiItem, type PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { readFinalHeight, type Sighting } from './findAttempts.ts'
import { firstBlockWhere } from './firstBlockWhere.ts'
import type { SubmitterSettings } from './settings.ts'

/**
 * Searches the chain itself for what used an account's nonce: the bundler need not be trusted or reachable.
 */
export async function findOperation(
  client: PublicClient,
  entryPoint: Address,
  { intent, attempts, nonce = 0 }: JournalRecord,
  finality: SubmitterSettings['finality'],
): Promise<Sighting> {
  const sender = intent.from
  // Read the height first, so that an operation found later never counts as deeper than it is.
  const finalHeight = await readFinalHeight(client, finality)
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const isUsedAt = async (blockNumber: bigint) => {
    const args = [sender, 0n] as const
    const call = { address: entryPoint, abi: entryPoint07Abi, functionName: 'getNonce', args } as const
    return (await client.readContract({ ...call, blockNumber })) > BigInt(nonce)
  }
  if (!(await isUsedAt(head))) return { kind: 'nothing' }
  const block = await firstBlockWhere(head, isUsedAt)
  const final = block <= finalHeight
  const events = await client.getLogs({
    address: entryPoint,
    event: getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' }),
    args: { sender },
    fromBlock: block,
    toBlock: block,
    strict: true,
  })
  const event = events.find(({ args }) => args.nonce === BigInt(nonce))
  if (!event) return { kind: 'nonce-used' }
  const { userOpHash, success } = event.args
  if (!attempts.some(({ hash }) => hash === userOpHash))
    return final ? { kind: 'displaced', by: userOpHash } : { kind: 'nonce-used' }
  const status = success ? 'success' : 'reverted'
  const mined = {
    hash: userOpHash,
    transaction: event.transactionHash,
    blockNumber: event.blockNumber,
    blockHash: event.blockHash,
    status,
  } as const
  return { kind: 'mined', mined, final }
}
