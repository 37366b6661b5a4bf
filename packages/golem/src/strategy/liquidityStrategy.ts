import { phaseNumber } from '@bardo/core'
import { boundDecision } from './boundDecision.ts'
import { keepConstitution } from './keepConstitution.ts'
import {
  type Decision,
  type LiquidityView,
  type OpenLiquidity,
  type Strategy,
  type View,
  wait,
} from './strategy.ts'

/** Below nine tenths of its size a position is filled up: it was cut by the rest of a day. A price alone does not do that. */
const filled = { numerator: 9n, denominator: 10n } as const
/** A missing side is bought with this margin, because the swap has a fee. */
const margin = { numerator: 101n, denominator: 100n } as const

/**
 * Manages liquidity by the signed text: opens a range, moves it when the price leaves it, collects fees at the interval,
 * and closes at the price that the text names. Uses no model.
 */
export const liquidityStrategy: Strategy = async (view) => {
  const { liquidity } = view
  if (!liquidity?.rules) return wait('the strategy does not say how to provide liquidity')
  const { rules, positions } = liquidity
  const bound = (decision: Decision) => keepConstitution(boundDecision(decision, view), view)
  const closing = closingReason(liquidity)
  const [first] = positions
  if (closing) return first ? bound(removal(first, closing)) : wait(closing)
  const lost = rules.moves ? positions.find(({ inRange }) => !inRange) : undefined
  if (lost) return bound(removal(lost, 'the price left the range'))
  const due = rules.collectSeconds
  const ripe = positions.find(({ touchedAt, feeCents }) => isDue(view.now - touchedAt, due) && feeCents > 0n)
  const collected = ripe
    ? bound({ ...toClose(ripe, `every ${due} seconds`), type: 'collect', cents: ripe.feeCents })
    : undefined
  if (collected && collected.type !== 'wait') return collected
  return addition(view, liquidity, bound)
}

function addition(view: View, liquidity: LiquidityView, bound: (decision: Decision) => Decision): Decision {
  const { rules, positions, shares } = liquidity
  if (!rules) return wait('the strategy does not say how to provide liquidity')
  const mostCents = view.plan.sizeCents[phaseNumber(view.phase)] ?? 0n
  const open = positions.reduce((sum, { cents }) => sum + cents, 0n)
  if (positions.some(({ inRange }) => !inRange)) return wait('the price is outside of the range')
  if (open * filled.denominator >= mostCents * filled.numerator) return wait('the liquidity is provided')
  const { pool: assets, downBps, upBps } = rules
  const [existing] = positions
  const wanted = bound({
    type: 'addLiquidity',
    assets,
    cents: mostCents - open,
    downBps,
    upBps,
    ...(existing && { tokenId: existing.tokenId }),
    because: existing ? 'the position is below its size' : 'no position is open',
  })
  if (wanted.type !== 'addLiquidity') return wanted
  const missing = assets.flatMap((symbol) => {
    const needed = (wanted.cents * BigInt(shares[symbol] ?? 5_000)) / 10_000n
    const held = view.holdings.find((holding) => holding.symbol === symbol)?.cents ?? 0n
    return needed > held ? [{ symbol, cents: needed - held }] : []
  })
  const [lack] = missing
  // A little less of one side only makes the position a little smaller.
  if (!lack || lack.cents * 20n < wanted.cents) return wanted
  const other = assets.find((symbol) => symbol !== lack.symbol) ?? lack.symbol
  const mayBuy = view.plan.pairs.some(({ from, to }) => from === other && to === lack.symbol)
  if (!mayBuy || missing.length > 1)
    return wait(
      `the account has too little ${missing.map(({ symbol }) => symbol).join(' and ')} for the pool`,
    )
  const cents = (lack.cents * margin.numerator) / margin.denominator
  return bound({
    type: 'swap',
    from: other,
    to: lack.symbol,
    cents,
    because: `the pool needs ${lack.symbol}`,
  })
}

/** Why the signed text closes the position now. */
function closingReason({ rules, priceCents }: LiquidityView): string | undefined {
  if (priceCents === undefined) return undefined
  const met = rules?.closes.find(({ type, cents }) =>
    type === 'below' ? priceCents < cents : priceCents > cents,
  )
  return met && `the price is ${met.type} ${met.cents} cents`
}

function toClose({ tokenId, assets, cents }: OpenLiquidity, because: string) {
  return { tokenId, assets, cents, because }
}

/** The decision to close a position. */
export function removal(position: OpenLiquidity, because: string): Decision {
  return { ...toClose(position, because), type: 'removeLiquidity' }
}

function isDue(seconds: number, interval: number | undefined): boolean {
  return interval !== undefined && seconds >= interval
}
