import { readState } from '@bardo/chain'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  isAddressEqual,
  parseAbi,
  sha256,
  stringToHex,
  zeroAddress,
} from 'viem'
import { canonicalJson } from '../capability/canonicalJson.ts'
import { centsOf, priceOf, priceReads } from '../runtime/prices.ts'
import type { ToolContext } from '../tools/toolContext.ts'
import type { MigrationStep } from './ownerRequest.ts'

/** What is to be moved, and what stays. */
export type MigrationWish = {
  readonly source: Address
  readonly destination: Address
  readonly gasReserve: bigint
  readonly includeNfts: boolean
  readonly includeTokens: boolean
  /** Left out: all that the book knows. */
  readonly tokens: readonly Address[] | undefined
  readonly minBalanceCents: bigint
}

const nftAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])

/** So many NFTs in one plan. Origin: ours; each is a transaction. */
const mostNfts = 50n

/** Everything a key's own address holds, as transfers: ERC-20s, then positions, then ETH without the reserve. */
export async function planMigration(
  context: Pick<ToolContext, 'client' | 'deployment' | 'book'>,
  wish: MigrationWish,
): Promise<readonly MigrationStep[]> {
  return [
    ...(wish.includeTokens ? await tokenSteps(context, wish) : []),
    ...(wish.includeNfts ? await nftSteps(context, wish) : []),
    ...(await etherSteps(context, wish)),
  ]
}

/** What a plan is known by: from where, to where, and every byte of every step in its order. */
export function migrationHash(source: Address, destination: Address, steps: readonly MigrationStep[]): Hash {
  return sha256(stringToHex(canonicalJson({ source, destination, steps })))
}

type Parts = Parameters<typeof planMigration>[0]

async function tokenSteps(
  { client, deployment, book }: Parts,
  { source, destination, tokens, minBalanceCents }: MigrationWish,
): Promise<readonly MigrationStep[]> {
  const assets = [...book.assets.values()].filter(
    ({ token }) => !tokens || tokens.some((one) => isAddressEqual(one, token)),
  )
  const prices = await readState(client, deployment, priceReads(assets))
  const balances = await Promise.all(
    assets.map(({ token }) =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [source] }),
    ),
  )
  return assets.flatMap((asset, place) => {
    const [amount = 0n, price] = [balances[place], priceOf(prices, asset)]
    // What nobody can price is no dust.
    const isDust = price !== undefined && centsOf(amount, price, asset) < minBalanceCents
    if (amount === 0n || isDust) return []
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [destination, amount] })
    return [{ kind: 'erc20' as const, token: asset.token, amount, to: asset.token, value: 0n, data }]
  })
}

async function nftSteps(
  { client, book }: Parts,
  { source, destination }: MigrationWish,
): Promise<readonly MigrationStep[]> {
  const address = book.contracts.positionManager
  if (!address) return []
  const contract = { address, abi: nftAbi }
  const count = await client.readContract({ ...contract, functionName: 'balanceOf', args: [source] })
  const places = Array.from({ length: Number(count < mostNfts ? count : mostNfts) }, (_, n) => BigInt(n))
  const ids = await Promise.all(
    places.map((n) =>
      client.readContract({ ...contract, functionName: 'tokenOfOwnerByIndex', args: [source, n] }),
    ),
  )
  return ids.map((amount) => {
    const args = [source, destination, amount] as const
    const data = encodeFunctionData({ abi: nftAbi, functionName: 'safeTransferFrom', args })
    return { kind: 'nft', token: address, amount, to: address, value: 0n, data }
  })
}

async function etherSteps(
  { client }: Parts,
  { source, destination, gasReserve }: MigrationWish,
): Promise<readonly MigrationStep[]> {
  const balance = await client.getBalance({ address: source })
  const amount = balance - gasReserve
  if (amount <= 0n) return []
  return [{ kind: 'eth', token: zeroAddress, amount, to: destination, value: amount, data: '0x' }]
}
