import { BardoError } from '@bardo/core'
import { type Hash, type Hex, isHash } from 'viem'

/** A block by number and hash. */
export type BlockPoint = { readonly blockNumber: string; readonly blockHash: Hash }

/**
 * Where a watch stands: everything up to and including this log was handed out. Plain data: keep it as JSON beside what
 * was done with the event, and continue from it.
 */
export type Cursor = BlockPoint & {
  /** {@link wholeBlock} where the block is done. */
  readonly logIndex: number
  /** Some blocks before, newest first and ever sparser: where to go back to when a reorganisation took this one. */
  readonly trail: readonly BlockPoint[]
}

/** The index after every log of a block. */
export const wholeBlock = Number.MAX_SAFE_INTEGER

/** All of the last so many points are kept; of those before, one for each doubling of the distance. */
const keptPoints = 12

/** The cursor one step further. */
export function advance(cursor: Cursor, blockNumber: bigint, blockHash: Hash, logIndex: number): Cursor {
  const point = { blockNumber: `${blockNumber}`, blockHash }
  if (cursor.blockNumber === point.blockNumber) return { ...cursor, ...point, logIndex }
  const { blockNumber: number, blockHash: hash } = cursor
  return {
    ...point,
    logIndex,
    trail: thinned([{ blockNumber: number, blockHash: hash }, ...cursor.trail], blockNumber),
  }
}

/** The cursor at a point of its trail, from where everything is to be handed out again. */
export function backTo(cursor: Cursor, place: number): Cursor | undefined {
  const point = cursor.trail[place]
  return point && { ...point, logIndex: wholeBlock, trail: cursor.trail.slice(place + 1) }
}

function thinned(points: readonly BlockPoint[], tip: bigint): readonly BlockPoint[] {
  let next = 0n
  return points.filter(({ blockNumber }, place) => {
    const distance = tip - BigInt(blockNumber)
    if (place >= keptPoints && distance < next) return false
    next = 2n * distance
    return true
  })
}

/** Reads a cursor that was kept as JSON; refuses anything else. */
export function readCursor(value: unknown): Cursor {
  if (isPoint(value) && 'logIndex' in value && 'trail' in value) {
    const { logIndex, trail } = value
    const isIndex = typeof logIndex === 'number' && Number.isSafeInteger(logIndex) && logIndex >= -1
    if (isIndex && Array.isArray(trail) && trail.every(isPoint)) {
      return { blockNumber: value.blockNumber, blockHash: value.blockHash, logIndex, trail }
    }
  }
  throw new BardoError('This is no cursor of a watch.', {
    code: 'INVALID_INPUT',
    remedy: 'Give back exactly what the watch handed out, or start anew from a block.',
    docsPath: 'explain.md#watching',
  })
}

function isPoint(value: unknown): value is BlockPoint {
  if (typeof value !== 'object' || value === null) return false
  if (!('blockNumber' in value) || !('blockHash' in value)) return false
  const { blockNumber, blockHash } = value
  return typeof blockNumber === 'string' && /^\d{1,20}$/.test(blockNumber) && isHash(blockHash as Hex)
}
