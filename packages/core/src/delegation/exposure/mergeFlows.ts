import type { Most } from './limitUntil.ts'

/** What a thief does to lose the owner's money, as the haul counts it. */
export type LossCause =
  /** Swaps and liquidity, each up to the signed basis points. */
  | { readonly type: 'slippage' | 'poolPrice'; readonly bps: number }
  /** No caveat limits the slippage, or the pool's price: everything that is swapped or added can be lost. */
  | { readonly type: 'noSlippageLimit' | 'noPoolPriceLimit' }
  /** Native currency that the key draws for gas. */
  | { readonly type: 'gas' }
  /** A plain transfer to an address that is not the owner's. */
  | { readonly type: 'transfer' }
  /** A payment to a payee that is one of the keys. */
  | { readonly type: 'ownPayee' }
  /** A vault that takes deposits, or pays below its floor, at a moved rate. */
  | { readonly type: 'vaultRate' }
  /** Shares in vaults: from what they are worth down to the signed floor, which no limit counts. */
  | { readonly type: 'shares'; readonly cents: bigint }

/** What the haul assumes not to be the thief's. */
export type Assumption = 'payee' | 'method'

/** Money that can leave under one permission, or under several that share limits. Micros of a dollar. */
export type Flow = {
  /** Undefined: without a limit. */
  readonly out: bigint | undefined
  /** The last second that it counts; undefined for no end. */
  readonly until: bigint | undefined
  /** The part of it that the thief can keep whole. */
  readonly kept: bigint | undefined
  /** The row that limits this part, if other permissions may share it. */
  readonly keptRow: string | undefined
  /** What is lost of the rest, in basis points. */
  readonly bps: number
  /** The same, if what the haul assumes is wrong. */
  readonly worstBps: number
  readonly causes: readonly LossCause[]
  readonly assumes: readonly Assumption[]
  /** The limits on state that other permissions may share, by the key of the row. */
  readonly rows: ReadonlyMap<string, Most>
  /** What leaving a vault at a moved rate loses, besides `out`, by account and vault. */
  readonly shares: ReadonlyMap<string, bigint>
}

/** The loss of a flow; undefined: without a limit. */
function lossOf({ out, kept }: Flow, bps: number): bigint | undefined {
  if (kept === undefined || (out === undefined && bps > 0)) return undefined
  const rest = out === undefined ? 0n : out - kept
  return kept + (rest * BigInt(bps) + 9_999n) / 10_000n
}

/** Flows after merging, and what they come to. */
export type Merged = {
  readonly out: bigint | undefined
  readonly loss: bigint | undefined
  readonly worst: bigint | undefined
  /** The part of both losses that leaving vaults adds, and that no limit counts. */
  readonly shares: bigint
}

/**
 * Adds flows up. Flows that share a row share its limit: together they are one flow of at most that limit.
 * Small groups merge first, so that the children of one parent count before their parent does.
 */
export function mergeFlows(flows: readonly Flow[]): Merged {
  let rest = flows
  for (const row of sharedRows(flows)) {
    const sharing = rest.filter((flow) => flow.rows.has(row))
    const together = sharing.length > 1 ? joined(sharing, row) : undefined
    if (together) rest = [...rest.filter((flow) => !sharing.includes(flow)), together]
  }
  const shares = sharesOf(flows)
  return {
    out: addUp(rest.map(({ out }) => out)),
    loss: addUp([shares, ...rest.map((flow) => lossOf(flow, flow.bps))]),
    worst: addUp([shares, ...rest.map((flow) => lossOf(flow, flow.worstBps))]),
    shares,
  }
}

/** A share can be redeemed once: of several permissions, the one that loses the most counts. */
function sharesOf(flows: readonly Flow[]): bigint {
  const most = new Map<string, bigint>()
  for (const { shares } of flows)
    for (const [vault, lost] of shares) most.set(vault, later(lost, most.get(vault) ?? 0n))
  return [...most.values()].reduce((sum, lost) => sum + lost, 0n)
}

/** The rows of at least two flows, those of the fewest first. */
function sharedRows(flows: readonly Flow[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { rows } of flows) for (const row of rows.keys()) counts.set(row, (counts.get(row) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, one], [, other]) => one - other)
    .map(([row]) => row)
}

/** Flows as one, if their common row allows less than they do one by one. */
function joined(flows: readonly Flow[], row: string): Flow | undefined {
  const ends = flows.map(({ until }) => until)
  // One permission may allow more, another may last longer: together they reach the widest limit to the last end.
  const until = ends.reduce((last, end) =>
    last === undefined || end === undefined ? undefined : later(last, end),
  )
  const limit = widest(flows, row)(until)
  const sum = addUp(flows.map(({ out }) => out))
  if (limit === undefined || (sum !== undefined && sum <= limit)) return undefined
  const [first] = flows
  const keptRow = flows.every((flow) => flow.keptRow === first?.keptRow) ? first?.keptRow : undefined
  const keeps = flows.map((flow) => flow.kept)
  const kept = keptRow === undefined ? addUp(keeps) : mostOf(keeps)
  return {
    out: limit,
    until,
    kept: kept === undefined || kept > limit ? limit : kept,
    keptRow,
    bps: Math.max(...flows.map(({ bps }) => bps)),
    worstBps: Math.max(...flows.map(({ worstBps }) => worstBps)),
    causes: flows.flatMap(({ causes }) => causes),
    assumes: flows.flatMap(({ assumes }) => assumes),
    shares: new Map(),
    // Only the rows of all of them still limit the sum.
    rows: new Map(
      [...(first?.rows.keys() ?? [])]
        .filter((key) => flows.every(({ rows }) => rows.has(key)))
        .map((key) => [key, widest(flows, key)]),
    ),
  }
}

/** The widest of the limits that permissions have signed for one row. */
function widest(flows: readonly Flow[], row: string): Most {
  return (until) => mostOf(flows.map(({ rows }) => rows.get(row)?.(until)))
}

function mostOf(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce((most, one) =>
    most === undefined || one === undefined ? undefined : later(most, one),
  )
}

function addUp(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  let sum = 0n
  for (const amount of amounts) {
    if (amount === undefined) return undefined
    sum += amount
  }
  return sum
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
