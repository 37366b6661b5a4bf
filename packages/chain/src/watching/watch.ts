import { BardoError, type Clock } from '@bardo/core'
import { BlockNotFoundError, type Hash, type PublicClient } from 'viem'
import type { Deployment } from '../deployments/deployment.ts'
import { isComplaint, malformedAnswer, unavailable } from '../state/nodeError.ts'
import { advance, type BlockPoint, backTo, type Cursor, wholeBlock } from './cursor.ts'
import { type PlacedLog, readLogs } from './readLogs.ts'
import {
  decodeWatched,
  type LogQuery,
  logQueries,
  type WatchedEvent,
  type WatchFilters,
} from './watchedEvents.ts'

/** What a watch hands out. Keep its `cursor` once it is dealt with. */
export type Watched =
  | {
      readonly is: 'event'
      readonly event: WatchedEvent
      readonly blockNumber: bigint
      readonly blockHash: Hash
      readonly transactionHash: Hash
      readonly logIndex: number
      readonly cursor: Cursor
    }
  /** A reorganisation: whatever was handed out of blocks after `to` did not happen, and what did happen follows. */
  | { readonly is: 'reorged'; readonly from: BlockPoint; readonly to: BlockPoint; readonly cursor: Cursor }
  /** Nothing more up to this block. */
  | { readonly is: 'reached'; readonly blockNumber: bigint; readonly cursor: Cursor }

/** What to watch, from where, and how. */
export type WatchOptions = {
  readonly client: PublicClient
  readonly deployment: Deployment
  /** A cursor; the newest block, from the next one on; or a block, from its first log on. */
  readonly from: Cursor | 'latest' | bigint
  readonly filters?: WatchFilters
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** How far to look: `finalized` never reorganises. */
  readonly until?: 'latest' | 'safe' | 'finalized'
  readonly settings?: Partial<WatchSettings>
}

/** The numbers of a watch. */
export type WatchSettings = {
  /** Most blocks in one question; halved where a node refuses. */
  readonly maxBlocks: number
  readonly pollMilliseconds: number
  /** The first wait after a failure; each further one doubles. */
  readonly retryMilliseconds: number
  readonly maxRetryMilliseconds: number
  /** After so many failures in a row the watch ends with the last one. */
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
 * Everything that happens to delegations and Golems, each event once and in order, over restarts, lost connections and
 * reorganisations. It ends when the signal says so.
 *
 * @example
 * for await (const seen of watch({ client, deployment, from: kept ?? 'latest', clock, signal })) {
 *   if (seen.is === 'event') await note(seen.event)
 *   await keep(seen.cursor)
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

/** Looks once: at a reorganisation, or at the next blocks. */
async function takeStep(options: StepOptions): Promise<Step | 'range refused'> {
  const { client, queries, until, from, cursor, size } = options
  const head = await client.getBlock({ blockTag: until })
  if (!cursor) return begin(client, from, head)
  const last = BigInt(cursor.blockNumber)
  // The node lags behind, or sits on a shorter branch: which of the two, only its next blocks tell.
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
  // The chain moved while it was looked at: what was seen may be of two branches.
  if (!before || before !== (await readPoint(client, end))) return { seen: [], cursor, isDone: false }
  const seen = eventsAfter(cursor, logs)
  const reached = advance(seen.at(-1)?.cursor ?? cursor, end, before, wholeBlock)
  seen.push({ is: 'reached', blockNumber: end, cursor: reached })
  return { seen, cursor: reached, isDone: end === head.number }
}

/** A node that says no to a range may well say yes to half of it. */
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
    const event = decoded(topics, data)
    seen.push({ is: 'event', event, blockNumber, blockHash, transactionHash, logIndex, cursor: at })
  }
  return seen
}

function decoded(topics: PlacedLog['topics'], data: PlacedLog['data']): WatchedEvent {
  try {
    return decodeWatched(topics, data)
  } catch (cause) {
    throw malformedAnswer(
      'eth_getLogs',
      `a log with topics ${topics.join(', ')} that cannot be read: ${cause}`.slice(0, 300),
    )
  }
}

/** How far back a watch that begins now could go: the distances of its first trail. */
const firstTrail = [1n, 2n, 4n, 8n, 16n, 32n, 64n, 128n, 256n]

type Head = { readonly number: bigint; readonly hash: Hash }

/** Whoever begins with the newest block has to know which one that was, before anything happens. */
async function begin(client: PublicClient, from: WatchOptions['from'], head: Head): Promise<Step> {
  const cursor = await openCursor(client, typeof from === 'bigint' ? from : head.number + 1n, head)
  const reached: Watched = { is: 'reached', blockNumber: head.number, cursor }
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
  if (!point || point.blockNumber !== `${last}`) throw notThere(last, head.number)
  return { ...point, logIndex: first === 0n ? -1 : wholeBlock, trail }
}

function notThere(block: bigint, head: bigint): BardoError {
  return new BardoError('A watch cannot begin in the future.', {
    code: 'INVALID_INPUT',
    details: [`block ${block} was asked for`, `the newest is ${head}`],
  })
}

/** The newest point of the trail that is still on the chain. */
async function goBack(client: PublicClient, cursor: Cursor): Promise<Step> {
  const { blockNumber, blockHash } = cursor
  for (const [place, point] of cursor.trail.entries()) {
    if ((await readPoint(client, BigInt(point.blockNumber))) !== point.blockHash) continue
    const back = backTo(cursor, place)
    if (!back) break
    const seen: Watched = { is: 'reorged', from: { blockNumber, blockHash }, to: point, cursor: back }
    return { seen: [seen], cursor: back, isDone: false }
  }
  throw new BardoError('The cursor is of another chain, or further back than it remembers.', {
    code: 'CHAIN_MISMATCH',
    details: [
      `block ${blockNumber} with hash ${blockHash}`,
      `none of the ${cursor.trail.length} blocks before is there either`,
    ],
    remedy: 'Check the node; then start anew from a block before the reorganisation.',
    docsPath: 'explain.md#watching',
  })
}

/** A block's hash; undefined where there is none. */
async function readPoint(client: PublicClient, blockNumber: bigint): Promise<Hash | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

/** What waiting does not mend. */
function isFinal(error: unknown): boolean {
  return error instanceof BardoError && !error.retryable
}

/** Waits, but not longer than the signal allows. */
function createPause({ clock, signal }: Pick<WatchOptions, 'clock' | 'signal'>) {
  const aborted = new Promise<void>((resolve) =>
    signal?.addEventListener('abort', () => resolve(), { once: true }),
  )
  return (milliseconds: number) => Promise.race([clock.sleep(milliseconds), aborted])
}
