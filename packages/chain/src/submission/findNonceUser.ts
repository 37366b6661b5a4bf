import type { Address, Hash, PublicClient } from 'viem'

/**
 * The transaction that used an account's nonce, found by halving the chain up to `height`, where it is known to be used.
 * Undefined if none did: an EIP-7702 authorization uses a nonce up without one.
 *
 * That our transactions are not found is no proof that none landed, since nodes forget old receipts. That another has
 * their nonce is. Throws where the node no longer has the state that it takes to look.
 */
export async function findNonceUser(
  client: PublicClient,
  address: Address,
  nonce: number,
  height: bigint,
): Promise<Hash | undefined> {
  const isUsedAt = async (blockNumber: bigint) =>
    (await client.getTransactionCount({ address, blockNumber })) > nonce
  // Backwards in growing strides first: most often it is recent, and nodes keep recent state only.
  let used = height
  let unused = -1n
  for (let stride = 1n; used - stride >= 0n; stride *= 2n) {
    if (!(await isUsedAt(used - stride))) {
      unused = used - stride
      break
    }
    used -= stride
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    if (await isUsedAt(middle)) used = middle
    else unused = middle
  }
  const { transactions } = await client.getBlock({ blockNumber: used, includeTransactions: true })
  const isUser = (from: Address) => from.toLowerCase() === address.toLowerCase()
  return transactions.find((transaction) => isUser(transaction.from) && transaction.nonce === nonce)?.hash
}
