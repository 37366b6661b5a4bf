import { type LiquidityPosition, readLiquidity, readState } from '@bardo/chain'
import {
  type Asset,
  type ChainState,
  leastOf,
  type Phase,
  phaseNumber,
  priceOf,
  priceReads,
} from '@bardo/core'
import { type Address, erc20Abi, isAddressEqual, type Log, parseAbi, parseEventLogs } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { centsOf } from '../snapshot/prices.ts'
import type { Holding, LiquidityView, OpenLiquidity, View } from '../strategy/strategy.ts'
import { logsOf, newLifeMemory, openedPositions } from './openedPositions.ts'

type Parts = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>
/** What a strategy sees of the positions. */
type PositionsView = Pick<View, 'liquidity' | 'bought' | 'windDown'>

const managerAbi = parseAbi([
  'event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)',
])
/** The price feeds have eight decimals. */
const priceUnitsPerCent = 1_000_000n

/**
 * Reads, at every tick, the liquidity that the Golem opened and, from Conservation on, what it bought: by the receipts of
 * its own transactions, each of which is read once. Nothing is read for a plan that needs neither.
 */
export function createPositionReader(parts: Parts, permission: SignedPermission) {
  const { client, deployment } = parts
  const { plan, book, terms, liquidity: rules, windDown } = permission
  const memory = newLifeMemory()
  const times = new Map<bigint, number>()
  const provides = plan.classes.includes('removeLiquidity') && book.contracts.positionManager !== undefined
  const sells = plan.classes.includes('unwind') && plan.settlement !== undefined

  return async (phase: Phase, holdings: readonly Holding[]): Promise<PositionsView> => {
    const isEnding = phaseNumber(phase) >= phaseNumber('conservation')
    const liquidity = provides ? await readPositions() : undefined
    const bought = sells && isEnding ? await readBought(holdings) : undefined
    return { windDown, ...(liquidity && { liquidity }), ...(bought && { bought }) }
  }

  async function readPositions(): Promise<LiquidityView> {
    const opened = await openedPositions(parts, permission, memory)
    const tokens = opened.flatMap((one) => (one.type === 'liquidity' ? [one] : []))
    const found = await readLiquidity(client, deployment, tokens)
    const own = found.filter(
      ({ owner, liquidity, fees }) =>
        owner !== undefined &&
        isAddressEqual(owner, terms.mandate.account) &&
        liquidity + fees.amount0 + fees.amount1 > 0n,
    )
    const state = await readState(client, deployment, priceReads([...book.assets.values()]))
    const logs = tokens.length > 0 ? await logsOf(parts, memory) : []
    const positions: OpenLiquidity[] = []
    for (const position of own) {
      const symbols = [symbolOf(position.token0), symbolOf(position.token1)]
      const [one, other] = symbols.toSorted()
      if (one === undefined || other === undefined) continue
      const feeCents = worthOf(state, position, position.fees)
      positions.push({
        tokenId: position.tokenId,
        assets: [one, other],
        cents: worthOf(state, position, position.held) + feeCents,
        feeCents,
        inRange: position.inRange,
        touchedAt: await touchedAt(logs, position),
      })
    }
    return { rules, positions, priceCents: priceCents(state), shares: sharesOf() }
  }

  /** The price of the pool's asset whose price moves, in cents. Of two such assets, the second one. */
  function priceCents(state: ChainState): bigint | undefined {
    const base = rules && book.assets.get(pricedLast(rules.pool)[1])
    const price = base && priceOf(state, base)
    return price === undefined ? undefined : price / priceUnitsPerCent
  }

  /** Which part of the value of a new position each asset is: by the square roots of the ends of its range. */
  function sharesOf(): Readonly<Record<string, number>> {
    if (!rules) return {}
    const [quote, base] = pricedLast(rules.pool)
    const ofBase = 1 - 1 / Math.sqrt(1 + rules.upBps / 10_000)
    const ofQuote = 1 - Math.sqrt(1 - rules.downBps / 10_000)
    const share = Math.round((10_000 * ofBase) / (ofBase + ofQuote))
    return { [base]: share, [quote]: 10_000 - share }
  }

  function pricedLast([one, other]: readonly [string, string]): readonly [string, string] {
    const moves = (symbol: string) => {
      const asset = book.assets.get(symbol)
      return asset !== undefined && priceReads([asset]).length > 0
    }
    return moves(one) && !moves(other) ? [other, one] : [one, other]
  }

  function symbolOf(token: Address): string | undefined {
    return [...book.assets].find(([, asset]) => isAddressEqual(asset.token, token))?.[0]
  }

  function assetAt(token: Address): Asset | undefined {
    return [...book.assets.values()].find((asset) => isAddressEqual(asset.token, token))
  }

  function worthOf(
    state: ChainState,
    { token0, token1 }: LiquidityPosition,
    { amount0, amount1 }: LiquidityPosition['held'],
  ): bigint {
    const cents = (token: Address, amount: bigint) => {
      const asset = assetAt(token)
      return asset ? centsOf(amount, priceOf(state, asset) ?? 0n, asset) : 0n
    }
    return cents(token0, amount0) + cents(token1, amount1)
  }

  /** When the position was opened, grew, or paid out. */
  async function touchedAt(logs: readonly Log[], { manager, tokenId }: LiquidityPosition): Promise<number> {
    const own = logs.filter(({ address }) => isAddressEqual(address, manager))
    const blocks = parseEventLogs({ abi: managerAbi, logs: own }).flatMap(({ args, blockNumber }) =>
      args.tokenId === tokenId && blockNumber !== null ? [blockNumber] : [],
    )
    const [last] = blocks.toSorted((a, b) => Number(b - a))
    if (last === undefined) return 0
    const known = times.get(last)
    if (known !== undefined) return known
    const { timestamp } = await client.getBlock({ blockNumber: last })
    times.set(last, Number(timestamp))
    return Number(timestamp)
  }

  /**
   * What the Golem's own transactions brought in, less what they took out, and at most what the account has: what the
   * owner had before, or adds, is not sold.
   */
  async function readBought(holdings: readonly Holding[]): Promise<Readonly<Record<string, bigint>>> {
    const { account } = terms.mandate
    const logs = await logsOf(parts, memory)
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [...logs] })
    const state = await readState(client, deployment, priceReads([...book.assets.values()]))
    return Object.fromEntries(
      plan.assets.flatMap((symbol) => {
        const asset = book.assets.get(symbol)
        if (!asset || symbol === plan.settlement) return []
        const net = transfers.reduce((sum, { address, args }) => {
          if (!isAddressEqual(address, asset.token)) return sum
          const isIn = isAddressEqual(args.to, account)
          const isOut = isAddressEqual(args.from, account)
          return sum + (isIn ? args.value : 0n) - (isOut ? args.value : 0n)
        }, 0n)
        const cents = net > 0n ? centsOf(net, priceOf(state, asset) ?? 0n, asset) : 0n
        const held = holdings.find((holding) => holding.symbol === symbol)?.cents ?? 0n
        return cents > 0n && held > 0n ? [[symbol, leastOf(cents, held)] as const] : []
      }),
    )
  }
}
