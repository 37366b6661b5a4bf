/** The price of an asset from a time on: dollars with eight decimals, Unix seconds of the chain. */
export type PricePoint = { readonly symbol: string; readonly price: bigint; readonly at: number }

/** How far back prices count: the longest interval of the default schedule. */
const memorySeconds = 3_600
/** The maximum number of price changes per asset: a tick every 30 seconds makes 120 in an hour. */
const mostPoints = 128
/**
 * The price range, relative to the highest price, that counts as maximum volatility: five per cent within the
 * hour.
 */
const wildRange = 0.05

/**
 * The prices that still count: those of the last hour, and for each asset the one in force at its beginning.
 * An unchanged
 * price is not stored again.
 */
export function rememberPrices(
  memory: readonly PricePoint[],
  seen: readonly Omit<PricePoint, 'at'>[],
  now: number,
): readonly PricePoint[] {
  const changed = seen.filter(
    ({ symbol, price }) => memory.findLast((point) => point.symbol === symbol)?.price !== price,
  )
  const all = [...memory, ...changed.map((point) => ({ ...point, at: now }))]
  return all.filter((point, index) => {
    const later = all.slice(index + 1).filter(({ symbol }) => symbol === point.symbol)
    const held = later[0] === undefined || later[0].at > now - memorySeconds
    return held && later.length < mostPoints
  })
}

/** The volatility of the most volatile asset, from 0 to 1: the range of its remembered prices. */
export function volatilityOf(memory: readonly PricePoint[]): number {
  const symbols = [...new Set(memory.map(({ symbol }) => symbol))]
  const ranges = symbols.map((asset) =>
    rangeOf(memory.filter(({ symbol }) => symbol === asset).map(({ price }) => Number(price))),
  )
  return Math.min(1, Math.max(0, ...ranges) / wildRange)
}

function rangeOf(prices: readonly number[]): number {
  const highest = Math.max(...prices)
  return highest > 0 ? (highest - Math.min(...prices)) / highest : 0
}
