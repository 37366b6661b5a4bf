import { type Address, getAbiItem, type Hash, type PublicClient } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Landed } from './createSubmitter.ts'

/** The transaction in which something landed: for an operation the bundler's, otherwise its own. */
export async function transactionOf(
  client: PublicClient,
  entryPoint: Address,
  { hash, blockNumber }: Pick<Landed, 'hash' | 'blockNumber'>,
): Promise<Hash> {
  const [event] = await client.getLogs({
    address: entryPoint,
    event: getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' }),
    args: { userOpHash: hash },
    fromBlock: blockNumber,
    toBlock: blockNumber,
  })
  return event?.transactionHash ?? hash
}
