import type { Hex } from 'viem'
import { formatMoment } from '../../format/time.ts'
import type { Coverage } from '../caveatKind.ts'
import { add, demand, multiply, subtract } from './bytes.ts'
import { answered } from './metamaskKind.ts'
import { covered, wider } from './words.ts'

/** An allowance that grows by the second, from an initial amount up to a maximum. */
export type Stream = {
  readonly initial: bigint
  readonly max: bigint
  readonly perSecond: bigint
  readonly start: bigint
}

/** A row of `streamingAllowances`: five words. */
export type StreamRow = Stream & { readonly spent: bigint }

/** Reads a row out of an answer. */
export function streamRow(data: Hex): StreamRow {
  return {
    initial: answered(data, 0),
    max: answered(data, 1),
    perSecond: answered(data, 2),
    start: answered(data, 3),
    spent: answered(data, 4),
  }
}

/** The checks of the terms, which run at every use. */
export function demandStream(enforcer: string, signed: Stream): void {
  demand(
    signed.max >= signed.initial,
    `${enforcer}:invalid-max-amount`,
    'Sign a maximum that is not below the initial amount.',
  )
  demand(signed.start > 0n, `${enforcer}:invalid-zero-start-time`, 'Sign a start.')
}

/** Refuses more than the amount streamed so far. Returns the row afterwards. */
export function demandWithinStream(
  enforcer: string,
  signed: Stream,
  stored: StreamRow,
  amount: bigint,
  now: bigint,
): readonly bigint[] {
  // Before the first spend the signed numbers count; afterwards the stored ones.
  const row = stored.spent === 0n ? { ...stored, ...signed } : stored
  const available = left(row, now)
  demand(
    amount <= available,
    `${enforcer}:allowance-exceeded`,
    `Ask for at most ${available} instead of ${amount}; the allowance grows by ${row.perSecond} a second, up to ${row.max} in total.`,
  )
  return [row.initial, row.max, row.perSecond, row.start, row.spent + amount]
}

function left(row: StreamRow, now: bigint): bigint {
  if (now < row.start) return 0n
  const grown = add(row.initial, multiply(row.perSecond, subtract(now, row.start)))
  if (grown > row.max) return row.spent >= row.max ? 0n : row.max - row.spent
  return row.spent >= grown ? 0n : grown - row.spent
}

/** Whether the child's allowance is never above the parent's. */
export function coversStream(parent: Stream, child: Stream): Coverage {
  if (parent.max < parent.initial || parent.start === 0n) return wider('the parent’s terms are refused')
  // A rate this large overflows at some point, and from then on the parent refuses everything.
  if (parent.initial + (parent.perSecond << 64n) >= 1n << 256n) {
    return wider(`the parent’s rate of ${parent.perSecond} a second overflows`)
  }
  if (child.start < parent.start) {
    return wider(
      `the child starts at ${formatMoment(child.start)}; the parent starts at ${formatMoment(parent.start)}`,
    )
  }
  if (child.max > parent.max) return wider(`${child.max} in total; the parent allows ${parent.max}`)
  if (child.perSecond > parent.perSecond) {
    return wider(`${child.perSecond} a second; the parent allows ${parent.perSecond}`)
  }
  const reached = parent.initial + parent.perSecond * (child.start - parent.start)
  if (child.initial > reached) {
    return wider(`${child.initial} at ${formatMoment(child.start)}; the parent allows ${reached} by then`)
  }
  return covered
}
