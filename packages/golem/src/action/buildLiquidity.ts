import {
  addLiquidityCalls,
  amountsOf,
  liquidityFor,
  rangeAround,
  readLiquidity,
  readState,
  removeLiquidityCall,
  squareRoot,
  type TickRange,
  type TokenAmounts,
  tickAt,
} from '@bardo/chain'
import { type Asset, BardoError, type Call, leastOf, priceOf, type Read, wordsIn } from '@bardo/core'
import { type Address, encodeFunctionData, erc20Abi, isAddressEqual, maxUint256, parseAbi } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { microsOf } from '../snapshot/prices.ts'
import type { AddLiquidity, Intention } from '../strategy/strategy.ts'
import type { Action } from './action.ts'
import { approvedCentsOf, type BuiltAction, readPrices, required, usable } from './buildAction.ts'

type Context = Pick<GolemParts, 'client' | 'deployment' | 'settings'>
type Closing = Extract<Intention, { type: 'removeLiquidity' | 'collect' }>

const bps = 10_000n
const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
])
/** A liquidity large enough that rounding its amounts does not matter. */
const sample = 10n ** 24n

/** A pool with the two signed assets in its order, and their prices. */
type Pool = {
  readonly sides: readonly [Asset, Asset]
  readonly fee: number
  readonly spacing: number
  /** Whether the first of the intention's assets is the pool's token0. */
  readonly isFirst0: boolean
}

/** Turns an intention about liquidity into calls on the owner's account. */
export async function buildLiquidity(
  context: Context,
  permission: SignedPermission,
  intention: AddLiquidity | Closing,
): Promise<BuiltAction> {
  const { deployment, client } = context
  const { book, terms } = permission
  const { account } = terms.mandate
  const manager = required(book.contracts.positionManager, 'positionManager')
  if (intention.type !== 'addLiquidity') {
    const { tokenId, type } = intention
    const [found] = await readLiquidity(client, deployment, [{ manager, tokenId }])
    if (!found?.owner || !isAddressEqual(found.owner, account)) throw notHeld(tokenId)
    const liquidity = type === 'collect' ? 0n : found.liquidity
    const data = removeLiquidityCall({ tokenId, liquidity, account, deadline: maxUint256 })
    return { action: actionOf([{ to: manager, data }]), valueCents: 0n }
  }
  const { tokenId } = intention
  const pool = await readPool(context, permission, intention)
  const [side0, side1] = pool.sides
  const state = await readPrices(context, pool.sides)
  const priceNow = (asset: Asset) => usable(priceOf(state, asset), asset.token)
  const fair = fairSqrtPrice(pool.sides, priceNow)
  const found = tokenId === undefined ? undefined : await existing(tokenId)
  const range = found ?? rangeOf(intention, pool, fair)
  const held = await readState(
    client,
    deployment,
    pool.sides.map(({ token }) => balanceRead(token, account)),
  )
  const balances = pool.sides.map(({ token }) => wordsIn(held, balanceRead(token, account), 1)?.[0] ?? 0n)
  const desired = desiredAmounts(range, fair)
  const minimum = minimumAmounts(desired, range, fair, terms.spreadBps)
  const position =
    tokenId === undefined
      ? ({ type: 'new', fee: pool.fee, range } as const)
      : ({ type: 'existing', tokenId } as const)
  const action = actionOf(
    addLiquidityCalls({
      manager,
      account,
      token0: side0.token,
      token1: side1.token,
      desired,
      minimum,
      deadline: maxUint256,
      position,
    }),
  )
  return { action, valueCents: approvedCentsOf(action, pool.sides, priceNow) }

  /** What the dollars are at the fair price, cut to the smaller balance. Rounded down: never more than intended. */
  function desiredAmounts(at: TickRange, sqrtPrice: bigint): TokenAmounts {
    const unit = amountsOf(sample, at, sqrtPrice)
    const micros =
      microsOf(unit.amount0, priceNow(side0), side0) + microsOf(unit.amount1, priceNow(side1), side1)
    // Each of the two amounts is valued in whole cents, rounded up.
    const cents = intention.cents > 2n ? intention.cents - 2n : 0n
    const wanted = micros === 0n ? 0n : (sample * cents * 10_000n) / micros
    const [balance0 = 0n, balance1 = 0n] = balances
    const affordable = (amount: bigint, balance: bigint) =>
      amount === 0n ? wanted : (sample * balance) / amount
    const liquidity = leastOf(wanted, affordable(unit.amount0, balance0), affordable(unit.amount1, balance1))
    const { amount0, amount1 } = amountsOf(liquidity, at, sqrtPrice)
    if (liquidity === 0n) throw tooLittle()
    return { amount0, amount1 }
  }

  async function existing(id: bigint): Promise<TickRange> {
    const [position] = await readLiquidity(client, deployment, [{ manager, tokenId: id }])
    if (!position?.owner || !isAddressEqual(position.owner, account)) throw notHeld(id)
    return { tickLower: position.tickLower, tickUpper: position.tickUpper }
  }

  function actionOf(calls: readonly Call[]): Action {
    const plain = calls.map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, data }))
    return { chainId: deployment.chainId, account, calls: plain }
  }
}

async function readPool(
  { client, deployment }: Context,
  { book, liquidity }: SignedPermission,
  { assets }: AddLiquidity,
): Promise<Pool> {
  const name = assets.join('/')
  const to = required(book.pools.get(name), `a pool ${name}`)
  const [first, second] = assets.map((symbol) => required(book.assets.get(symbol), symbol))
  const ask = (functionName: 'token0' | 'fee' | 'tickSpacing'): Read => ({
    to,
    data: encodeFunctionData({ abi: poolAbi, functionName }),
  })
  const reads = [ask('token0'), ask('fee'), ask('tickSpacing')] as const
  const state = await readState(client, deployment, reads)
  const [token0 = 0n, fee = 0n, spacing = 0n] = reads.map((read) => wordsIn(state, read, 1)?.[0])
  if (!first || !second || spacing === 0n) throw unreadable(name)
  const stated = liquidity?.fee
  if (stated !== undefined && stated !== Number(fee)) throw otherFee(name, stated, Number(fee))
  const isFirst0 = BigInt(first.token) === token0
  return {
    sides: isFirst0 ? [first, second] : [second, first],
    fee: Number(fee),
    spacing: Number(spacing),
    isFirst0,
  }
}

/** The square root of the feeds' price of token0 in token1, times 2^96. */
function fairSqrtPrice([side0, side1]: Pool['sides'], priceNow: (asset: Asset) => bigint): bigint {
  const numerator = priceNow(side0) * 10n ** BigInt(side1.scale)
  const denominator = priceNow(side1) * 10n ** BigInt(side0.scale)
  return squareRoot((numerator << 192n) / denominator)
}

/**
 * The range around the feeds' price. Its sides are those of the price of the asset that moves in the one that does not;
 * the pool's own price can be the inverse of it.
 */
function rangeOf(
  { downBps, upBps }: AddLiquidity,
  { sides, spacing, isFirst0 }: Pool,
  fair: bigint,
): TickRange {
  const isQuote = ({ feed }: Asset) => feed === undefined || BigInt(feed) === 0n
  const [side0, side1] = sides
  const isInverse = isQuote(side0) !== isQuote(side1) ? isQuote(side0) : isFirst0
  const inverse = (share: number) => 10_000 / share
  const [down, up] = isInverse
    ? [1 - inverse(10_000 + upBps), inverse(10_000 - downBps) - 1]
    : [downBps / 10_000, upBps / 10_000]
  return rangeAround(tickAt(fair), { downBps: down * 10_000, upBps: up * 10_000, spacing })
}

/** The least of both tokens while the pool's price is within the signed deviation of the feeds'. */
function minimumAmounts(
  desired: TokenAmounts,
  range: TickRange,
  fair: bigint,
  spreadBps: number,
): TokenAmounts {
  const at = (factor: bigint) => {
    const price = squareRoot((fair * fair * factor) / bps)
    return amountsOf(liquidityFor(desired, range, price), range, price)
  }
  const [low, high] = [at(bps - BigInt(spreadBps)), at(bps + BigInt(spreadBps))]
  return { amount0: leastOf(low.amount0, high.amount0), amount1: leastOf(low.amount1, high.amount1) }
}

function balanceRead(to: Address, account: Address): Read {
  return { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }) }
}

function notHeld(tokenId: bigint): BardoError {
  return new BardoError('The account does not hold this position.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`liquidity-${tokenId}`],
    remedy: 'Read the positions again.',
    docsPath: 'golem.md#strategies',
  })
}

function tooLittle(): BardoError {
  return new BardoError('The account has too little of one token for the pool.', {
    code: 'ACTION_NOT_ALLOWED',
    remedy: 'Buy the missing token first, or add to the account.',
    docsPath: 'golem.md#strategies',
  })
}

function unreadable(pool: string): BardoError {
  return new BardoError('The signed pool cannot be read.', {
    code: 'ADDRESS_UNKNOWN',
    details: [`pool ${pool}`],
    remedy: 'Check the pool in the operator’s address book, and adjust the Golem.',
  })
}

function otherFee(pool: string, stated: number, fee: number): BardoError {
  return new BardoError('The signed pool has another fee than the strategy states.', {
    code: 'CONFIG_INVALID',
    details: [`pool ${pool}: ${fee / 10_000} %`, `the strategy: ${stated / 10_000} %`],
    remedy: 'Adjust the Golem with a strategy or an address book that names the other pool.',
    docsPath: 'permissions.md#liquidity',
  })
}
