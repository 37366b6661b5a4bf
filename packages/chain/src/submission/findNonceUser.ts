import type { Address, Hash, PublicClient } from 'viem'
import { firstBlockWhere } from './firstBlockWhere.ts'

/**
 * The transaction that used an account's nonce, found by halving the chain up to `height`, where it is known to be used.
 * `by` is undefined if none did: an EIP-7702 authorization uses a nonce up without one.
 *
 * That our transactions are not found is no proof that none landed, since nodes forget old receipts. That another has
 * their nonce is. Throws where the node no longer has the state that it takes to look.
 */
export async function findNonceUser(
  client: PublicClient,
  address: Address,
  nonce: number,
  height: bigint,
): Promise<{ readonly by: Hash | undefined; readonly block: bigint }> {
  const block = await firstBlockWhere(
    height,
    async (blockNumber) => (await client.getTransactionCount({ address, blockNumber })) > nonce,
  )
  const { transactions } = await client.getBlock({ blockNumber: block, includeTransactions: true })
  const isUser = (from: Address) => from.toLowerCase() === address.toLowerCase()
  const user = transactions.find((transaction) => isUser(transaction.from) && transaction.nonce === nonce)
  return { by: user?.hash, block }
}
