import { type Hex, maxUint256 } from 'viem'
import { formatDuration } from '../../format/duration.ts'
import { formatMoment } from '../../format/time.ts'
import type { Coverage } from '../caveatKind.ts'
import { add, demand, demandWellFormed, panic, size, word } from './bytes.ts'
import { answered } from './metamaskKind.ts'
import { coveredIf, wider } from './words.ts'

/** A cap that resets at fixed times. */
export type Period = { readonly amount: bigint; readonly duration: bigint; readonly start: bigint }

/** A row of `periodicAllowances`: five words, all zero before the first use. */
export type PeriodRow = Period & { readonly lastPeriod: bigint; readonly spent: bigint }

/**
 * Reads a period from the end of terms. MetaMask's decoder fails above 2^53, but its wallet signs such
 * lengths.
 */
export function signedPeriod(terms: Hex, at: number): Period {
  demandWellFormed(size(terms) === at + 96)
  return { amount: word(terms, at), duration: word(terms, at + 32), start: word(terms, at + 64) }
}

/** Whether the cap never resets: MetaMask encodes a lifetime allowance as the longest period. */
export function isEndless({ duration }: Period): boolean {
  return duration === maxUint256
}

/** When a cap resets, in words. */
export function eachPeriod(period: Period): string {
  const from = `from ${formatMoment(period.start)}`
  return isEndless(period) ? `in total ${from}` : `in each ${formatDuration(period.duration)} ${from}`
}

/** Reads a row out of an answer. */
export function periodRow(data: Hex): PeriodRow {
  return {
    amount: answered(data, 0),
    duration: answered(data, 1),
    start: answered(data, 2),
    lastPeriod: answered(data, 3),
    spent: answered(data, 4),
  }
}

/** The amount spent in the period of this moment. */
export function spentNow(row: PeriodRow, now: bigint): bigint {
  if (row.start === 0n || row.duration === 0n || now < row.start) return 0n
  return periodOf(row, now) === row.lastPeriod ? row.spent : 0n
}

/**
 * The logic shared by period enforcers: checks at first use, then the remaining amount. Returns the row
 * afterwards.
 */
export function demandWithinPeriod(
  enforcer: string,
  signed: Period,
  stored: PeriodRow,
  amount: bigint,
  now: bigint,
): readonly bigint[] {
  if (stored.start === 0n) {
    demand(signed.start > 0n, `${enforcer}:invalid-zero-start-date`, 'Sign a start.')
    demand(signed.amount > 0n, `${enforcer}:invalid-zero-period-amount`, 'Sign an amount.')
    demand(signed.duration > 0n, `${enforcer}:invalid-zero-period-duration`, 'Sign a duration.')
    demand(
      now >= signed.start,
      `${enforcer}:transfer-not-started`,
      () => `Wait until ${formatMoment(signed.start)}; the time is ${formatMoment(now)}.`,
    )
  }
  // After the first use the stored numbers count, not the signed ones.
  const row = stored.start === 0n ? { ...stored, ...signed } : stored
  const available = left(row, now)
  const next = row.start + periodOf(row, now) * row.duration
  demand(
    amount <= available,
    `${enforcer}:transfer-amount-exceeded`,
    () => `Ask for at most ${available} instead of ${amount}, or wait until ${formatMoment(next)}.`,
  )
  const current = periodOf(row, now)
  const isNew = now >= row.start && current !== row.lastPeriod
  return [
    row.amount,
    row.duration,
    row.start,
    isNew ? current : row.lastPeriod,
    (isNew ? 0n : row.spent) + amount,
  ]
}

function left(row: PeriodRow, now: bigint): bigint {
  if (now < row.start) return 0n
  if (row.duration === 0n) panic(0x12n, 'Sign a duration.')
  const spent = add(periodOf(row, now), 0n) === row.lastPeriod ? row.spent : 0n
  return row.amount > spent ? row.amount - spent : 0n
}

function periodOf(row: Period, now: bigint): bigint {
  return now < row.start ? 0n : (now - row.start) / row.duration + 1n
}

/**
 * Whether no spending under the child exceeds the parent in any of the parent's periods.
 *
 * One period of the parent can overlap several of the child's, each of which may be spent in full.
 */
export function coversPeriod(parent: Period, child: Period): Coverage {
  if (parent.start === 0n || parent.amount === 0n || parent.duration === 0n) {
    return wider('the parent’s terms are refused at first use')
  }
  if (child.duration === 0n) return wider('the child’s duration is zero')
  if (child.start < parent.start) {
    return wider(
      `the child starts at ${formatMoment(child.start)}; the parent starts at ${formatMoment(parent.start)}`,
    )
  }
  const most = child.amount * touched(parent, child)
  return coveredIf(
    most <= parent.amount,
    () =>
      `up to ${most} in ${formatDuration(parent.duration)} (${child.amount} every ${formatDuration(child.duration)}); the parent allows ${parent.amount}`,
  )
}

function touched(parent: Period, child: Period): bigint {
  const shift = child.start - parent.start
  if (child.duration % parent.duration === 0n && shift % parent.duration === 0n) return 1n
  if (parent.duration % child.duration === 0n && shift % child.duration === 0n) {
    return parent.duration / child.duration
  }
  // Not aligned: one more period overlaps at either end.
  return parent.duration / child.duration + 2n
}
