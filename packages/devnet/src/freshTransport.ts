import type { EIP1193RequestFn, Transport } from 'viem'
import { hexToNumber, isHex } from 'viem'

/** Methods that depend on the latest block's time, and the position of their block parameter. */
const blockPlaces: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBlockByNumber: 0,
  eth_simulateV1: 1,
  debug_traceCall: 1,
}

/**
 * A transport to a local chain whose clock runs. Anvil mines only when there are transactions, and a reader
 * sees the time of the last block: a required interval of one minute would never end. Therefore a block is
 * mined before a read of the latest state, if the last block is not from this second. A devnet without reads
 * mines nothing.
 *
 * @param now - milliseconds since 1970; the chain may be at another time and keeps its distance
 * @example
 * createPublicClient({ chain, transport: freshTransport(http(url)) })
 */
export function freshTransport<Inner extends Transport>(
  inner: Inner,
  now: () => number = Date.now,
): Transport {
  return (options) => {
    const transport = inner(options)
    const freshen = createFreshen(transport.request, now)
    const request: EIP1193RequestFn = async (question: { method: string; params?: unknown }) => {
      if (isAboutLatest(question)) await freshen()
      return transport.request(question)
    }
    return { ...transport, request }
  }
}

function createFreshen(request: EIP1193RequestFn, now: () => number): () => Promise<void> {
  /** The chain's time minus the clock's, in seconds, when this transport last mined. */
  let distance: number | undefined
  /** The second for which the latest block is already fresh. */
  let freshAt: number | undefined
  let running: Promise<void> | undefined
  const second = () => Math.floor(now() / 1_000)

  async function freshen(): Promise<void> {
    const began = second()
    const last = await latestTime(request)
    const expected = distance === undefined ? undefined : began + distance
    // If the time is far ahead of the expected one, the chain's clock was moved.
    const isFresh = expected !== undefined && last >= expected && last <= expected + 1
    if (!isFresh) {
      await request({ method: 'evm_mine', params: [] })
      distance = (await latestTime(request)) - began
    }
    freshAt = began
  }

  return async () => {
    if (freshAt === second()) return
    running ??= freshen()
      // A node that cannot mine or does not answer is not an error here: the read itself reports it.
      .catch(() => {})
      .finally(() => {
        running = undefined
      })
    await running
  }
}

function isAboutLatest({ method, params }: { readonly method: string; readonly params?: unknown }): boolean {
  const place = Object.hasOwn(blockPlaces, method) ? blockPlaces[method] : undefined
  if (place === undefined) return false
  const block: unknown = Array.isArray(params) ? params[place] : undefined
  return block === undefined || block === 'latest' || block === 'pending'
}

async function latestTime(request: EIP1193RequestFn): Promise<number> {
  const block: unknown = await request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const time =
    typeof block === 'object' && block !== null && 'timestamp' in block ? block.timestamp : undefined
  return isHex(time) ? hexToNumber(time) : 0
}
