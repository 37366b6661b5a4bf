import { BardoError, type Clock, type Deployment } from '@bardo/core'
import { BlockNotFoundError, type Hash, type PublicClient } from 'viem'
import { isComplaint, malformedAnswer, unavailable } from '../nodeError.ts'
import { advance, type BlockPoint, backTo, type Cursor, wholeBlock } from './cursor.ts'
import { type PlacedLog, readLogs } from './readLogs.ts'
import {
  decodeWatched,
  type LogQuery,
  logQueries,
  type WatchedEvent,
  type WatchFilters,
} from './watchedEvents.ts'

/** What a watch emits. Store its `cursor` after you have handled it. */
export type Watched =
  | {
      readonly type: 'event'
      readonly event: WatchedEvent
      readonly blockNumber: bigint
      readonly blockHash: Hash
      readonly transactionHash: Hash
      readonly logIndex: number
      readonly cursor: Cursor
    }
  /** A reorganisation: events of blocks after `to` did not happen. The events that did happen follow. */
  | { readonly type: 'reorged'; readonly from: BlockPoint; readonly to: BlockPoint; readonly cursor: Cursor }
  /** There are no more events up to this block. */
  | { readonly type: 'reached'; readonly blockNumber: bigint; readonly cursor: Cursor }

/** What to watch, from where, and how. */
export type WatchOptions = {
  readonly client: PublicClient
  readonly deployment: Deployment
  /** A cursor; `latest`: from the next block on; or a block number: from its first log on. */
  readonly from: Cursor | 'latest' | bigint
  readonly filters?: WatchFilters
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** How far to read: `finalized` never reorganises. */
  readonly until?: 'latest' | 'safe' | 'finalized'
  readonly settings?: Partial<WatchSettings>
}

/** The limits and intervals of a watch. */
export type WatchSettings = {
  /** Maximum number of blocks per query; halved when a node refuses. */
  readonly maxBlocks: number
  readonly pollMilliseconds: number
  /** The first wait after a failure; each further wait doubles. */
  readonly retryMilliseconds: number
  readonly maxRetryMilliseconds: number
  /** After this many failures in a row the watch ends with the last error. */
  readonly maxFailures: number
}

export const defaultWatchSettings: WatchSettings = {
  maxBlocks: 5_000,
  pollMilliseconds: 2_000,
  retryMilliseconds: 250,
  maxRetryMilliseconds: 30_000,
  maxFailures: 20,
}

/**
 * Every event of delegations and Golems, once and in order, across restarts, lost connections and
 * reorganisations. It ends when the signal aborts.
 *
 * @example
 * for await (const seen of watch({ client, deployment, from: stored ?? 'latest', clock, signal })) {
 *   if (seen.type === 'event') await handle(seen.event)
 *   await storeCursor(seen.cursor)
 * }
 */
export async function* watch(options: WatchOptions): AsyncGenerator<Watched, void, undefined> {
  const { client, deployment, from, filters = {}, until = 'latest' } = options
  const settings = { ...defaultWatchSettings, ...options.settings }
  const pause = createPause(options)
  const queries = logQueries(deployment, filters)
  let cursor = typeof from === 'object' ? from : undefined
  let size = settings.maxBlocks
  let failures = 0
  while (!options.signal?.aborted) {
    const step = await takeStep({ client, queries, until, from, cursor, size }).catch((error: unknown) => ({
      error,
    }))
    if (options.signal?.aborted) return
    if (step === 'range refused') {
      size = Math.ceil(size / 2)
      continue
    }
    if ('error' in step) {
      const { error } = step
      if (isFinal(error)) throw error
      failures += 1
      if (failures >= settings.maxFailures) throw unavailable(error)
      await pause(Math.min(settings.retryMilliseconds * 2 ** (failures - 1), settings.maxRetryMilliseconds))
      continue
    }
    failures = 0
    for (const seen of step.seen) {
      cursor = seen.cursor
      yield seen
      if (options.signal?.aborted) return
    }
    cursor = step.cursor
    if (step.isDone) await pause(settings.pollMilliseconds)
    else size = Math.min(size * 2, settings.maxBlocks)
  }
}

type Step = { readonly seen: readonly Watched[]; readonly cursor: Cursor; readonly isDone: boolean }

type StepOptions = Pick<WatchOptions, 'client' | 'from'> & {
  readonly queries: readonly LogQuery[]
  readonly until: NonNullable<WatchOptions['until']>
  readonly cursor: Cursor | undefined
  readonly size: number
}

/** Reads once: handles a reorganisation, or reads the next blocks. */
async function takeStep(options: StepOptions): Promise<Step | 'range refused'> {
  const { client, queries, until, from, cursor, size } = options
  const head = await client.getBlock({ blockTag: until })
  if (!cursor) return begin(client, from, head)
  const last = BigInt(cursor.blockNumber)
  // The node lags behind or is on a shorter branch. Its next blocks will tell which.
  if (head.number < last) return { seen: [], cursor, isDone: true }
  const start = cursor.logIndex === wholeBlock ? last + 1n : last
  const end = head.number - start < BigInt(size) ? head.number : start + BigInt(size) - 1n
  const before = end === head.number ? head.hash : await readPoint(client, end)
  const [place, logs] = await Promise.all([
    readPoint(client, last),
    start > head.number ? [] : readRange(client, queries, start, end, size),
  ])
  if (place !== cursor.blockHash) return goBack(client, cursor)
  if (logs === 'range refused') return logs
  if (start > head.number) return { seen: [], cursor, isDone: true }
  // The chain changed during the read: the logs may come from two branches.
  if (!before || before !== (await readPoint(client, end))) return { seen: [], cursor, isDone: false }
  const seen = eventsAfter(cursor, logs)
  const reached = advance(seen.at(-1)?.cursor ?? cursor, end, before, wholeBlock)
  seen.push({ type: 'reached', blockNumber: end, cursor: reached })
  return { seen, cursor: reached, isDone: end === head.number }
}

/** A node that refuses a range may accept half of it. */
async function readRange(
  client: PublicClient,
  queries: readonly LogQuery[],
  start: bigint,
  end: bigint,
  size: number,
): Promise<readonly PlacedLog[] | 'range refused'> {
  try {
    return await readLogs(client, queries, start, end)
  } catch (error) {
    if (isComplaint(error) && size > 1) return 'range refused'
    throw error
  }
}

function eventsAfter(cursor: Cursor, logs: readonly PlacedLog[]): Watched[] {
  const seen: Watched[] = []
  let at = cursor
  for (const { topics, data, blockNumber, blockHash, transactionHash, logIndex } of logs) {
    if (blockNumber === BigInt(cursor.blockNumber) && logIndex <= cursor.logIndex) continue
    at = advance(at, blockNumber, blockHash, logIndex)
    const event = decodeLog(topics, data)
    seen.push({ type: 'event', event, blockNumber, blockHash, transactionHash, logIndex, cursor: at })
  }
  return seen
}

function decodeLog(topics: PlacedLog['topics'], data: PlacedLog['data']): WatchedEvent {
  try {
    return decodeWatched(topics, data)
  } catch (cause) {
    throw malformedAnswer(
      'eth_getLogs',
      `a log with topics ${topics.join(', ')} that does not decode: ${cause}`.slice(0, 300),
    )
  }
}

/** The distances of the first trail of a new watch, in blocks. */
const firstTrail = [1n, 2n, 4n, 8n, 16n, 32n, 64n, 128n, 256n]

type Head = { readonly number: bigint; readonly hash: Hash }

/**
 * A watch from `latest` emits its first position before any event, so that a restart continues from there.
 */
async function begin(client: PublicClient, from: WatchOptions['from'], head: Head): Promise<Step> {
  const cursor = await openCursor(client, typeof from === 'bigint' ? from : head.number + 1n, head)
  const reached: Watched = { type: 'reached', blockNumber: head.number, cursor }
  return { seen: typeof from === 'bigint' ? [] : [reached], cursor, isDone: false }
}

async function openCursor(client: PublicClient, first: bigint, head: Head): Promise<Cursor> {
  const last = first === 0n ? 0n : first - 1n
  const numbers = [last, ...firstTrail.map((distance) => last - distance).filter((number) => number >= 0n)]
  const points = await Promise.all(
    numbers.map(async (number) => ({ blockNumber: `${number}`, blockHash: await readPoint(client, number) })),
  )
  const [point, ...trail] = points.flatMap(({ blockNumber, blockHash }) =>
    blockHash ? [{ blockNumber, blockHash }] : [],
  )
  if (!point || point.blockNumber !== `${last}`) throw beyondHead(last, head.number)
  return { ...point, logIndex: first === 0n ? -1 : wholeBlock, trail }
}

function beyondHead(block: bigint, head: bigint): BardoError {
  return new BardoError('A watch cannot start after the newest block.', {
    code: 'INVALID_INPUT',
    details: [`start block: ${block}`, `newest block: ${head}`],
  })
}

/** Returns to the newest point of the trail that is still on the chain. */
async function goBack(client: PublicClient, cursor: Cursor): Promise<Step> {
  const { blockNumber, blockHash } = cursor
  for (const [place, point] of cursor.trail.entries()) {
    if ((await readPoint(client, BigInt(point.blockNumber))) !== point.blockHash) continue
    const back = backTo(cursor, place)
    if (!back) break
    const seen: Watched = { type: 'reorged', from: { blockNumber, blockHash }, to: point, cursor: back }
    return { seen: [seen], cursor: back, isDone: false }
  }
  throw new BardoError('The cursor is from another chain, or a reorganisation went deeper than its trail.', {
    code: 'CHAIN_MISMATCH',
    details: [
      `block ${blockNumber} with hash ${blockHash}`,
      `none of the ${cursor.trail.length} earlier blocks of its trail is on the chain either`,
    ],
    remedy: 'Check the node, then start again from a block before the reorganisation.',
    docsPath: 'explain.md#watching',
  })
}

/** A block's hash; undefined if the node does not have the block. */
async function readPoint(client: PublicClient, blockNumber: bigint): Promise<Hash | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

/** Whether a retry cannot help. */
function isFinal(error: unknown): boolean {
  return error instanceof BardoError && !error.retryable
}

/** Waits, at most until the signal aborts. */
function createPause({ clock, signal }: Pick<WatchOptions, 'clock' | 'signal'>) {
  const aborted = new Promise<void>((resolve) =>
    signal?.addEventListener('abort', () => resolve(), { once: true }),
  )
  return (milliseconds: number) => Promise.race([clock.sleep(milliseconds), aborted])
}
