import { type Address, type Hash, isAddressEqual, type PublicClient } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { firstBlockWhere } from './firstBlockWhere.ts'

/**
 * The transaction that used an account's nonce, found by binary search up to `height`, where the nonce is
 * used. `by` is undefined if there is none: an EIP-7702 authorization uses a nonce without a transaction of
 * the account.
 *
 * A missing receipt does not prove that our transaction did not land, because nodes prune old receipts.
 * Another transaction with the same nonce does prove it. Throws if the node no longer has the state for the
 * search.
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
  const { transactions } = await readBlock(client, block)
  const isUser = (from: Address) => from.toLowerCase() === address.toLowerCase()
  const user = transactions.find((transaction) => isUser(transaction.from) && transaction.nonce === nonce)
  return { by: user?.hash, block }
}

const readBlock = (client: PublicClient, blockNumber: bigint) =>
  client.getBlock({ blockNumber, includeTransactions: true })

/**
 * Whether the chain proves that an account has used every nonce below this one: by the transaction, or the
 * EIP-7702 authorization, that used the last of them. A single nonce answer is not enough to claim the next
 * nonce: if it is too high, no transaction of the key lands any more.
 */
export async function isUsedUpTo(client: PublicClient, address: Address, nonce: number): Promise<boolean> {
  const last = nonce - 1
  const height = await client.getBlockNumber({ cacheTime: 0 })
  if ((await client.getTransactionCount({ address, blockNumber: height })) < nonce) return false
  const { by, block } = await findNonceUser(client, address, last, height)
  if (by !== undefined) return true
  const { transactions } = await readBlock(client, block)
  const given = transactions.flatMap(({ authorizationList }) => authorizationList ?? [])
  const authorities = given
    .filter((authorization) => authorization.nonce === last)
    .map((authorization) => recoverAuthorizationAddress({ authorization }))
  return (await Promise.all(authorities)).some((authority) => isAddressEqual(authority, address))
}
