import { BardoError } from '@bardo/core'
import { type Address, encodeFunctionData, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import type { RequestContext } from './requestContext.ts'

const hookAbi = parseAbi([
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
])
const hookAnswer = '0x150b7a02'

/**
 * Throws for a destination that cannot receive, or would lock the assets: the zero address, the source, a
 * token, another contract.
 */
export async function requireReceiver(
  { client, book, deployment }: Pick<RequestContext, 'client' | 'book' | 'deployment'>,
  source: Address,
  destination: Address,
): Promise<void> {
  if (destination === zeroAddress) throw cannotReceive('the destination is the zero address')
  if (isAddressEqual(destination, source)) throw cannotReceive('the destination is the source')
  const receivers = [
    ...[...book.assets.values()].map(({ token }) => token),
    ...book.vaults.values(),
    ...book.pools.values(),
    ...Object.values(book.contracts),
    ...Object.values(deployment.contracts),
    deployment.framework.DelegationManager,
    deployment.framework.EntryPoint,
  ]
  if (receivers.some((address) => address && isAddressEqual(address, destination)))
    throw cannotReceive('the destination is a token or a protocol contract')
  if ((await client.getCode({ address: destination })) === undefined) return
  const args = [source, source, 1n, '0x'] as const
  const data = encodeFunctionData({ abi: hookAbi, functionName: 'onERC721Received', args })
  const [hook, ether] = await Promise.allSettled([
    client.call({ account: source, to: destination, data }),
    client.call({ account: source, to: destination, value: 1n }),
  ])
  if (hook.status === 'rejected' || !hook.value.data?.startsWith(hookAnswer))
    throw cannotReceive('the contract does not accept NFTs')
  if (ether.status === 'rejected') throw cannotReceive('the contract does not accept ETH')
}

function cannotReceive(why: string): BardoError {
  return new BardoError('The destination cannot receive the assets.', {
    code: 'INVALID_INPUT',
    details: [why],
    remedy: 'Use a wallet of the owner.',
    docsPath: 'requests.md#migrating',
  })
}
