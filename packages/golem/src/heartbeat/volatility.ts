/** What an asset cost from a moment on; dollars with eight decimals, Unix seconds of the chain. */
export type PricePoint = { readonly symbol: string; readonly price: bigint; readonly at: number }

/** How far back prices count. Origin: ours; the longest interval of the default schedule. */
const memorySeconds = 3_600
/** So many changes of one asset are kept. Origin: ours; the fastest schedule of half a minute makes 120 in an hour. */
const mostPoints = 128
/** A range of so much of the highest price is as wild as it gets. Origin: ours; five per cent within the hour. */
const wildRange = 0.05

/**
 * The prices that still count: those of the last hour, and of each asset the one that held when it began. A price that
 * did not change takes no room.
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
  return all.filter((point, place) => {
    const later = all.slice(place + 1).filter(({ symbol }) => symbol === point.symbol)
    const held = later[0] === undefined || later[0].at > now - memorySeconds
    return held && later.length < mostPoints
  })
}

/** How wild the wildest asset is, from 0 to 1: the range of its remembered prices. */
export function volatilityOf(memory: readonly PricePoint[]): number {
  const byAsset = [...Map.groupBy(memory, ({ symbol }) => symbol).values()]
  const ranges = byAsset.map((points) => rangeOf(points.map(({ price }) => Number(price))))
  return Math.min(1, Math.max(0, ...ranges) / wildRange)
}

function rangeOf(prices: readonly number[]): number {
  const highest = Math.max(...prices)
  return highest > 0 ? (highest - Math.min(...prices)) / highest : 0
}
