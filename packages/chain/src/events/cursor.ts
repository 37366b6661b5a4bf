import { BardoError } from '@bardo/core'
import { type Hash, type Hex, isHash } from 'viem'

/** A block by number and hash. */
export type BlockPoint = { readonly blockNumber: string; readonly blockHash: Hash }

/**
 * The position of a watch: everything up to and including this log was emitted. Plain data: store it as JSON
 * together with the effects of the event, and continue from it.
 */
export type Cursor = BlockPoint & {
  /** {@link wholeBlock} if the whole block was emitted. */
  readonly logIndex: number
  /** Earlier blocks, newest first, increasingly sparse: the points to return to after a reorganisation. */
  readonly trail: readonly BlockPoint[]
}

/** A log index after every log of a block. */
export const wholeBlock = Number.MAX_SAFE_INTEGER

/** The trail keeps this many newest points; of older ones, one for each doubling of the distance. */
const densePoints = 12

/** Moves the cursor one step forward. */
export function advance(cursor: Cursor, blockNumber: bigint, blockHash: Hash, logIndex: number): Cursor {
  const point = { blockNumber: `${blockNumber}`, blockHash }
  if (cursor.blockNumber === point.blockNumber) return { ...cursor, ...point, logIndex }
  const { blockNumber: number, blockHash: hash } = cursor
  return {
    ...point,
    logIndex,
    trail: thinTrail([{ blockNumber: number, blockHash: hash }, ...cursor.trail], blockNumber),
  }
}

/** The cursor at a point of its trail. Everything after that point is emitted again. */
export function backTo(cursor: Cursor, place: number): Cursor | undefined {
  const point = cursor.trail[place]
  return point && { ...point, logIndex: wholeBlock, trail: cursor.trail.slice(place + 1) }
}

function thinTrail(points: readonly BlockPoint[], tip: bigint): readonly BlockPoint[] {
  let next = 0n
  return points.filter(({ blockNumber }, place) => {
    const distance = tip - BigInt(blockNumber)
    if (place >= densePoints && distance < next) return false
    next = 2n * distance
    return true
  })
}

/** Parses a cursor that was stored as JSON; refuses anything else. */
export function readCursor(value: unknown): Cursor {
  if (isPoint(value) && 'logIndex' in value && 'trail' in value) {
    const { logIndex, trail } = value
    const isIndex = typeof logIndex === 'number' && Number.isSafeInteger(logIndex) && logIndex >= -1
    if (isIndex && Array.isArray(trail) && trail.every(isPoint)) {
      return { blockNumber: value.blockNumber, blockHash: value.blockHash, logIndex, trail }
    }
  }
  throw new BardoError('This is not a watch cursor.', {
    code: 'INVALID_INPUT',
    remedy: 'Pass exactly the cursor that the watch emitted, or start again from a block number.',
    docsPath: 'explain.md#watching',
  })
}

function isPoint(value: unknown): value is BlockPoint {
  if (typeof value !== 'object' || value === null) return false
  if (!('blockNumber' in value) || !('blockHash' in value)) return false
  const { blockNumber, blockHash } = value
  return typeof blockNumber === 'string' && /^\d{1,20}$/.test(blockNumber) && isHash(blockHash as Hex)
}
