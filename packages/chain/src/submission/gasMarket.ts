import type { PublicClient } from 'viem'
import type { Fees } from './fees.ts'

/** The current price of gas, in wei per unit: the base fee of the next block, and the tip. */
export type GasMarket = { readonly baseFee: bigint; readonly tip: bigint }

/** The number of blocks from which the usual tip is computed. */
const recentBlocks = 20

/**
 * Reads the next base fee and the tip: the node's suggestion, but never above the median tip of recent
 * blocks. Nodes derive their suggestion from recent blocks, some from the last one alone. On a quiet chain
 * those blocks are our own, so one transaction replaced at a higher fee would raise the fee of every later
 * one.
 *
 * @example
 * const { baseFee, tip } = await readGasMarket(client)
 */
export async function readGasMarket(client: PublicClient): Promise<GasMarket> {
  const [history, suggested] = await Promise.all([readHistory(client), client.estimateMaxPriorityFeePerGas()])
  const { baseFee, usualTip } = history ?? (await readHead(client))
  return { baseFee, tip: usualTip > 0n && usualTip < suggested ? usualTip : suggested }
}

/** The current price of one unit of gas: base fee plus tip. */
export async function readGasPrice(client: PublicClient): Promise<bigint> {
  const { baseFee, tip } = await readGasMarket(client)
  return baseFee + tip
}

/**
 * The fees to offer: the base fee plus a fifth, because it may rise before the transaction lands, and the
 * tip.
 */
export function feesFrom({ baseFee, tip }: GasMarket): Fees {
  return { maxFeePerGas: baseFee + baseFee / 5n + tip, maxPriorityFeePerGas: tip }
}

type History = { readonly baseFee: bigint; readonly usualTip: bigint }

async function readHistory(client: PublicClient): Promise<History | undefined> {
  try {
    const history = await client.getFeeHistory({ blockCount: recentBlocks, rewardPercentiles: [50] })
    const baseFee = history.baseFeePerGas.at(-1)
    if (baseFee === undefined) return undefined
    const tips = (history.reward ?? []).flatMap(([tip]) => (tip ? [tip] : []))
    return { baseFee, usualTip: median(tips) }
  } catch {
    // Not every node has a fee history.
    return undefined
  }
}

/** Without a history: the base fee rises by at most an eighth per block. */
async function readHead(client: PublicClient): Promise<History> {
  const { baseFeePerGas } = await client.getBlock()
  const baseFee = baseFeePerGas ?? 0n
  return { baseFee: baseFee + baseFee / 8n, usualTip: 0n }
}

function median(tips: readonly bigint[]): bigint {
  const sorted = tips.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n
}
