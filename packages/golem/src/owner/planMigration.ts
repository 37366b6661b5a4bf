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
import type { LeftBehind, MigrationStep } from './ownerRequest.ts'

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

/** What a migration does, and what it does not. */
export type MigrationPlan = {
  readonly steps: readonly MigrationStep[]
  readonly notMoved: readonly LeftBehind[]
}

const nothing: MigrationPlan = { steps: [], notMoved: [] }

/**
 * Everything a key's own address holds, as transfers: ERC-20s, then positions, then ETH without the reserve. What is seen
 * or named and stays is listed with its reason.
 */
export async function planMigration(
  context: Pick<ToolContext, 'client' | 'deployment' | 'book'>,
  wish: MigrationWish,
): Promise<MigrationPlan> {
  const parts = [
    wish.includeTokens ? await tokenSteps(context, wish) : nothing,
    wish.includeNfts ? await nftSteps(context, wish) : nothing,
    await etherSteps(context, wish),
  ]
  return {
    steps: parts.flatMap(({ steps }) => steps),
    notMoved: parts.flatMap(({ notMoved }) => notMoved),
  }
}

/** What a plan is known by: from where, to where, and every byte of every step in its order. */
export function migrationHash(source: Address, destination: Address, steps: readonly MigrationStep[]): Hash {
  return sha256(stringToHex(canonicalJson({ source, destination, steps })))
}

type Parts = Parameters<typeof planMigration>[0]

async function tokenSteps(
  { client, deployment, book }: Parts,
  { source, destination, tokens, minBalanceCents }: MigrationWish,
): Promise<MigrationPlan> {
  const known = [...book.assets.values()]
  const assets = known.filter(({ token }) => !tokens || tokens.some((one) => isAddressEqual(one, token)))
  // A stranger's contract may say anything of itself: it is neither asked nor called.
  const strangers = (tokens ?? []).filter((one) => !known.some(({ token }) => isAddressEqual(one, token)))
  const prices = await readState(client, deployment, priceReads(assets))
  const balances = await Promise.all(
    assets.map(({ token }) =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [source] }),
    ),
  )
  const held = assets.flatMap((asset, place) => {
    const [amount = 0n, price] = [balances[place], priceOf(prices, asset)]
    // What nobody can price is no dust.
    const isDust = price !== undefined && centsOf(amount, price, asset) < minBalanceCents
    return amount === 0n ? [] : [{ token: asset.token, amount, isDust }]
  })
  return {
    steps: held
      .filter(({ isDust }) => !isDust)
      .map(({ token, amount }) => {
        const args = [destination, amount] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
        return { kind: 'erc20', token, amount, to: token, value: 0n, data }
      }),
    notMoved: [
      ...held
        .filter(({ isDust }) => isDust)
        .map(({ token, amount }) => ({
          token,
          amount,
          why: 'it is worth less than the least that is moved',
        })),
      ...strangers.map((token) => ({ token, why: 'no such token is known here' })),
    ],
  }
}

async function nftSteps(
  { client, book }: Parts,
  { source, destination }: MigrationWish,
): Promise<MigrationPlan> {
  const address = book.contracts.positionManager
  if (!address) return nothing
  const contract = { address, abi: nftAbi }
  const count = await client.readContract({ ...contract, functionName: 'balanceOf', args: [source] })
  const places = Array.from({ length: Number(count < mostNfts ? count : mostNfts) }, (_, n) => BigInt(n))
  const ids = await Promise.all(
    places.map((n) =>
      client.readContract({ ...contract, functionName: 'tokenOfOwnerByIndex', args: [source, n] }),
    ),
  )
  const why = `more than ${mostNfts} are too many for one plan`
  return {
    steps: ids.map((amount) => {
      const args = [source, destination, amount] as const
      const data = encodeFunctionData({ abi: nftAbi, functionName: 'safeTransferFrom', args })
      return { kind: 'nft', token: address, amount, to: address, value: 0n, data }
    }),
    notMoved: count > mostNfts ? [{ token: address, amount: count - mostNfts, why }] : [],
  }
}

async function etherSteps(
  { client }: Parts,
  { source, destination, gasReserve }: MigrationWish,
): Promise<MigrationPlan> {
  const balance = await client.getBalance({ address: source })
  const kept = balance < gasReserve ? balance : gasReserve
  const amount = balance - kept
  return {
    steps:
      amount > 0n
        ? [{ kind: 'eth', token: zeroAddress, amount, to: destination, value: amount, data: '0x' }]
        : [],
    notMoved: kept > 0n ? [{ token: zeroAddress, amount: kept, why: 'it is kept for gas' }] : [],
  }
}
