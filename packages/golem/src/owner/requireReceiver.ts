import { BardoError } from '@bardo/core'
import { type Address, encodeFunctionData, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import type { ToolContext } from '../tools/toolContext.ts'

const hookAbi = parseAbi([
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
])
const hookAnswer = '0x150b7a02'

/** Refuses a destination that could not receive, or could never give back: nobody, itself, a token, a deaf contract. */
export async function requireReceiver(
  { client, book, deployment }: Pick<ToolContext, 'client' | 'book' | 'deployment'>,
  source: Address,
  destination: Address,
): Promise<void> {
  if (destination === zeroAddress) throw deaf('it is the zero address')
  if (isAddressEqual(destination, source)) throw deaf('it is the wallet itself')
  const known = [
    ...[...book.assets.values()].map(({ token }) => token),
    ...book.vaults.values(),
    ...book.pools.values(),
    ...Object.values(book.contracts),
    ...Object.values(deployment.contracts),
    deployment.framework.DelegationManager,
    deployment.framework.EntryPoint,
  ]
  if (known.some((address) => address && isAddressEqual(address, destination)))
    throw deaf('it is a token, or a contract of a protocol')
  if ((await client.getCode({ address: destination })) === undefined) return
  const args = [source, source, 1n, '0x'] as const
  const data = encodeFunctionData({ abi: hookAbi, functionName: 'onERC721Received', args })
  const [hook, ether] = await Promise.allSettled([
    client.call({ account: source, to: destination, data }),
    client.call({ account: source, to: destination, value: 1n }),
  ])
  if (hook.status === 'rejected' || !hook.value.data?.startsWith(hookAnswer))
    throw deaf('it is a contract that takes no NFTs')
  if (ether.status === 'rejected') throw deaf('it is a contract that takes no ETH')
}

function deaf(why: string): BardoError {
  return new BardoError('The destination cannot receive.', {
    code: 'INVALID_INPUT',
    details: [why],
    remedy: 'Name a wallet of the owner’s.',
    docsPath: 'requests.md#migrating',
  })
}
