import { readState } from '@bardo/chain'
import { canonicalJson, priceOf, priceReads } from '@bardo/core'
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
import { centsOf } from '../snapshot/prices.ts'
import type { LeftBehind, MigrationStep } from './ownerRequest.ts'
import type { RequestContext } from './requestContext.ts'

/** What to move, and what not. */
export type MigrationRequest = {
  readonly source: Address
  readonly destination: Address
  readonly gasReserve: bigint
  readonly includeNfts: boolean
  readonly includeTokens: boolean
  /** Default: all tokens of the address book. */
  readonly tokens: readonly Address[] | undefined
  readonly minBalanceCents: bigint
}

const nftAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])

/** The maximum number of NFTs in one plan: each is a transaction. */
const mostNfts = 50n

/** The transfers of a migration, and what it leaves. */
export type MigrationPlan = {
  readonly steps: readonly MigrationStep[]
  readonly notMoved: readonly LeftBehind[]
}

const nothing: MigrationPlan = { steps: [], notMoved: [] }

/**
 * Plans the transfer of all assets of a key's own address: ERC-20s, then positions, then ETH minus the
 * reserve. Known or
 * named assets that stay are listed with the reason.
 */
export async function planMigration(
  context: Pick<RequestContext, 'client' | 'deployment' | 'book'>,
  request: MigrationRequest,
): Promise<MigrationPlan> {
  const parts = [
    request.includeTokens ? await tokenSteps(context, request) : nothing,
    request.includeNfts ? await nftSteps(context, request) : nothing,
    await etherSteps(context, request),
  ]
  return {
    steps: parts.flatMap(({ steps }) => steps),
    notMoved: parts.flatMap(({ notMoved }) => notMoved),
  }
}

/** Identifies a plan: source, destination, and every byte of every step in order. */
export function migrationHash(source: Address, destination: Address, steps: readonly MigrationStep[]): Hash {
  return sha256(stringToHex(canonicalJson({ source, destination, steps })))
}

/** The call that moves an asset from one wallet to another. */
export function transferStep(
  { kind, token, amount }: Pick<MigrationStep, 'kind' | 'token' | 'amount'>,
  { source, destination }: Pick<MigrationRequest, 'source' | 'destination'>,
): MigrationStep {
  if (kind === 'eth') return { kind, token, amount, to: destination, value: amount, data: '0x' }
  const data =
    kind === 'erc20'
      ? encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [destination, amount] })
      : encodeFunctionData({
          abi: nftAbi,
          functionName: 'safeTransferFrom',
          args: [source, destination, amount],
        })
  return { kind, token, amount, to: token, value: 0n, data }
}

type Parts = Parameters<typeof planMigration>[0]

async function tokenSteps(
  { client, deployment, book }: Parts,
  { source, destination, tokens, minBalanceCents }: MigrationRequest,
): Promise<MigrationPlan> {
  const listed = [...book.assets.values()]
  const assets = listed.filter(({ token }) => !tokens || tokens.some((one) => isAddressEqual(one, token)))
  // An unknown contract may claim anything: it is neither read nor called.
  const unknownTokens = (tokens ?? []).filter(
    (one) => !listed.some(({ token }) => isAddressEqual(one, token)),
  )
  const prices = await readState(client, deployment, priceReads(assets))
  const balances = await Promise.all(
    assets.map(({ token }) =>
      client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [source] }),
    ),
  )
  const held = assets.flatMap((asset, index) => {
    const [amount = 0n, price] = [balances[index], priceOf(prices, asset)]
    // An asset without a price is not dust.
    const isDust = price !== undefined && centsOf(amount, price, asset) < minBalanceCents
    return amount === 0n ? [] : [{ token: asset.token, amount, isDust }]
  })
  return {
    steps: held
      .filter(({ isDust }) => !isDust)
      .map(({ token, amount }) => transferStep({ kind: 'erc20', token, amount }, { source, destination })),
    notMoved: [
      ...held
        .filter(({ isDust }) => isDust)
        .map(({ token, amount }) => ({
          token,
          amount,
          why: 'worth less than the minimum balance',
        })),
      ...unknownTokens.map((token) => ({ token, why: 'unknown token' })),
    ],
  }
}

async function nftSteps(
  { client, book }: Parts,
  { source, destination }: MigrationRequest,
): Promise<MigrationPlan> {
  const address = book.contracts.positionManager
  if (!address) return nothing
  const contract = { address, abi: nftAbi }
  const count = await client.readContract({ ...contract, functionName: 'balanceOf', args: [source] })
  const indexes = Array.from({ length: Number(count < mostNfts ? count : mostNfts) }, (_, n) => BigInt(n))
  const ids = await Promise.all(
    indexes.map((n) =>
      client.readContract({ ...contract, functionName: 'tokenOfOwnerByIndex', args: [source, n] }),
    ),
  )
  const why = `one plan moves at most ${mostNfts}`
  return {
    steps: ids.map((amount) =>
      transferStep({ kind: 'nft', token: address, amount }, { source, destination }),
    ),
    notMoved: count > mostNfts ? [{ token: address, amount: count - mostNfts, why }] : [],
  }
}

async function etherSteps(
  { client }: Parts,
  { source, destination, gasReserve }: MigrationRequest,
): Promise<MigrationPlan> {
  const balance = await client.getBalance({ address: source })
  const reserved = balance < gasReserve ? balance : gasReserve
  const amount = balance - reserved
  return {
    steps:
      amount > 0n ? [transferStep({ kind: 'eth', token: zeroAddress, amount }, { source, destination })] : [],
    notMoved: reserved > 0n ? [{ token: zeroAddress, amount: reserved, why: 'reserved for gas' }] : [],
  }
}
