import { type ChainState, type Deployment, type Read, wordsIn } from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  isAddressEqual,
  numberToHex,
  type PublicClient,
  parseAbi,
  zeroAddress,
} from 'viem'
import { readState } from '../reads/readState.ts'
import { amountsOf, type TickRange, type TokenAmounts } from './tickMath.ts'

const managerAbi = parseAbi([
  'function positions(uint256) view returns (uint96, address, address, address, uint24, int24, int24, uint128, uint256, uint256, uint128, uint128)',
  'function ownerOf(uint256) view returns (address)',
  'function factory() view returns (address)',
])
const factoryAbi = parseAbi(['function getPool(address, address, uint24) view returns (address)'])
const poolAbi = parseAbi([
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
  'function feeGrowthGlobal0X128() view returns (uint256)',
  'function feeGrowthGlobal1X128() view returns (uint256)',
  'function ticks(int24) view returns (uint128, int128, uint256, uint256, int56, uint160, uint32, bool)',
])

/** A position of a manager. */
export type LiquidityToken = { readonly manager: Address; readonly tokenId: bigint }

/** A Uniswap V3 position at one block. */
export type LiquidityPosition = LiquidityToken &
  TickRange & {
    /** Undefined if the NFT does not exist. */
    readonly owner: Address | undefined
    readonly token0: Address
    readonly token1: Address
    /** In hundredths of a basis point. */
    readonly fee: number
    readonly liquidity: bigint
    readonly pool: Address
    /** The pool’s price. Zero if the pool has none. */
    readonly sqrtPriceX96: bigint
    readonly tick: number
    readonly inRange: boolean
    /** What the liquidity holds at the pool’s price. */
    readonly held: TokenAmounts
    /** What collecting would pay out besides, collected and uncollected. */
    readonly fees: TokenAmounts
  }

/**
 * Reads positions with their amounts, their fees and the price of their pool, in three calls to Multicall3. A position
 * that the manager does not know is left out.
 *
 * @example
 * const [position] = await readLiquidity(client, deployment, [{ manager, tokenId: 7n }])
 */
export async function readLiquidity(
  client: PublicClient,
  deployment: Deployment,
  tokens: readonly LiquidityToken[],
): Promise<readonly LiquidityPosition[]> {
  if (tokens.length === 0) return []
  const first = await readState(
    client,
    deployment,
    tokens.flatMap((token) => [reads.positions(token), reads.ownerOf(token), reads.factory(token)]),
  )
  const known = tokens.flatMap((token) => positionIn(first, token) ?? [])
  const second = await readState(client, deployment, known.map(reads.pool))
  const pooled = known.flatMap((position) => {
    const pool = addressIn(second, reads.pool(position))
    return pool === undefined || isAddressEqual(pool, zeroAddress) ? [] : [{ ...position, pool }]
  })
  if (pooled.length === 0) return []
  const third = await readState(client, deployment, pooled.flatMap(growthReads))
  return pooled.flatMap((position) => withAmounts(third, position))
}

type Stored = LiquidityToken &
  TickRange &
  Pick<LiquidityPosition, 'owner' | 'token0' | 'token1' | 'fee' | 'liquidity'> & {
    readonly factory: Address
    readonly lastGrowth: TokenAmounts
    readonly owed: TokenAmounts
  }

function positionIn(state: ChainState, token: LiquidityToken): Stored | undefined {
  const words = wordsIn(state, reads.positions(token), 12)
  const factory = addressIn(state, reads.factory(token))
  if (!words || factory === undefined) return undefined
  const [, , token0 = 0n, token1 = 0n, fee = 0n, lower = 0n, upper = 0n, liquidity = 0n, ...rest] = words
  const [growth0 = 0n, growth1 = 0n, owed0 = 0n, owed1 = 0n] = rest
  return {
    manager: token.manager,
    tokenId: token.tokenId,
    factory,
    owner: addressIn(state, reads.ownerOf(token)),
    token0: toAddress(token0),
    token1: toAddress(token1),
    fee: Number(fee),
    tickLower: toTick(lower),
    tickUpper: toTick(upper),
    liquidity,
    lastGrowth: { amount0: growth0, amount1: growth1 },
    owed: { amount0: owed0, amount1: owed1 },
  }
}

function growthReads({ pool, tickLower, tickUpper }: Stored & { readonly pool: Address }): readonly Read[] {
  return [
    reads.of(pool, 'slot0'),
    reads.of(pool, 'feeGrowthGlobal0X128'),
    reads.of(pool, 'feeGrowthGlobal1X128'),
    reads.tick(pool, tickLower),
    reads.tick(pool, tickUpper),
  ]
}

function withAmounts(state: ChainState, stored: Stored & { readonly pool: Address }): LiquidityPosition[] {
  const { factory: _, lastGrowth, owed, ...position } = stored
  const { liquidity, tickLower, tickUpper } = position
  const [slot = [], all0 = [], all1 = [], below = [], above = []] = growthReads(stored).map((one, at) =>
    wordsIn(state, one, at === 0 ? 2 : at < 3 ? 1 : 4),
  )
  const [sqrtPriceX96 = 0n, tickWord = 0n] = slot
  if (sqrtPriceX96 === 0n) return []
  const tick = toTick(tickWord)
  const isAbove = tick >= tickLower
  const isBelow = tick < tickUpper
  /** The fees of one unit of liquidity inside the range, times 2^128, as Uniswap’s `Tick.getFeeGrowthInside` counts. */
  const inside = (all: bigint, lower: bigint, upper: bigint) =>
    wrap(all - (isAbove ? lower : wrap(all - lower)) - (isBelow ? upper : wrap(all - upper)))
  const earned = (all: bigint, lower: bigint, upper: bigint, last: bigint) =>
    (wrap(inside(all, lower, upper) - last) * liquidity) >> 128n
  const [, , below0 = 0n, below1 = 0n] = below
  const [, , above0 = 0n, above1 = 0n] = above
  return [
    {
      ...position,
      sqrtPriceX96,
      tick,
      inRange: isAbove && isBelow,
      held: amountsOf(liquidity, { tickLower, tickUpper }, sqrtPriceX96),
      fees: {
        amount0: owed.amount0 + earned(all0[0] ?? 0n, below0, above0, lastGrowth.amount0),
        amount1: owed.amount1 + earned(all1[0] ?? 0n, below1, above1, lastGrowth.amount1),
      },
    },
  ]
}

const words = 1n << 256n

/** Uniswap’s counters of fees wrap at 2^256. */
function wrap(value: bigint): bigint {
  return ((value % words) + words) % words
}

function toAddress(word: bigint): Address {
  return numberToHex(word & (2n ** 160n - 1n), { size: 20 })
}

function toTick(word: bigint): number {
  return Number(BigInt.asIntN(24, word))
}

function addressIn(state: ChainState, one: Read): Address | undefined {
  const [word] = wordsIn(state, one, 1) ?? []
  return word === undefined ? undefined : toAddress(word)
}

/** The reads of a position. Each is encoded twice, to ask and to find the answer. */
const reads = {
  positions: ({ manager: to, tokenId }: LiquidityToken): Read => ({
    to,
    data: encodeFunctionData({ abi: managerAbi, functionName: 'positions', args: [tokenId] }),
  }),
  ownerOf: ({ manager: to, tokenId }: LiquidityToken): Read => ({
    to,
    data: encodeFunctionData({ abi: managerAbi, functionName: 'ownerOf', args: [tokenId] }),
  }),
  factory: ({ manager: to }: LiquidityToken): Read => ({
    to,
    data: encodeFunctionData({ abi: managerAbi, functionName: 'factory' }),
  }),
  pool: ({ factory: to, token0, token1, fee }: Stored): Read => ({
    to,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'getPool', args: [token0, token1, fee] }),
  }),
  of: (to: Address, functionName: 'slot0' | 'feeGrowthGlobal0X128' | 'feeGrowthGlobal1X128'): Read => ({
    to,
    data: encodeFunctionData({ abi: poolAbi, functionName }),
  }),
  tick: (to: Address, tick: number): Read => ({
    to,
    data: encodeFunctionData({ abi: poolAbi, functionName: 'ticks', args: [tick] }),
  }),
}
