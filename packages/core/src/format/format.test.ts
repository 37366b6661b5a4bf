import { describe, expect, it } from 'vitest'
import { formatCompactDuration, formatDuration, formatExactDuration, formatLongDuration } from './duration.ts'
import { formatAmount, formatCompactDollars, formatDollars, formatShortDollars } from './money.ts'
import { formatCount, formatNumber } from './number.ts'
import { formatMinute, formatMoment, isoTime } from './time.ts'

describe('money', () => {
  it('shows cents as dollars with two decimals', () => {
    expect([0n, 5n, 123_456_789n, '100000', -150n].map(formatDollars)).toEqual([
      '$0.00',
      '$0.05',
      '$1,234,567.89',
      '$1,000.00',
      '-$1.50',
    ])
  })

  it('leaves out decimals that are zero', () => {
    expect([100_000n, 50n, -100n].map(formatShortDollars)).toEqual(['$1,000', '$0.50', '-$1'])
  })

  it('shortens large amounts for a narrow column', () => {
    expect(['0', '150', '123456', '2500000', '250000000'].map(formatCompactDollars)).toEqual([
      '$0',
      '$1.50',
      '$1235',
      '$25k',
      '$2.5M',
    ])
  })

  it('shows base units with the decimals of their token', () => {
    expect(formatAmount(1_250_500_000n, 6)).toBe('1,250.5')
    expect(formatAmount(1n, 18)).toBe('0.000000000000000001')
    expect(formatAmount(1_000n, 0)).toBe('1,000')
  })
})

describe('numbers', () => {
  it('groups digits by thousands', () => {
    expect([0, 999, 1_000, 2n ** 64n].map(formatNumber)).toEqual([
      '0',
      '999',
      '1,000',
      '18,446,744,073,709,551,616',
    ])
  })

  it('uses the plural for every count except one', () => {
    expect([0, 1, 1n, 2].map((count) => formatCount(count, 'call'))).toEqual([
      '0 calls',
      '1 call',
      '1 call',
      '2 calls',
    ])
  })
})

describe('durations', () => {
  it('uses the largest unit that divides the duration', () => {
    expect([0, 1, 90, 3_600, 86_400n, 2_592_000, 1.5].map(formatDuration)).toEqual([
      '0 seconds',
      '1 second',
      '90 seconds',
      '1 hour',
      '1 day',
      '30 days',
      '1.5 seconds',
    ])
  })

  it('rounds down to the largest two units', () => {
    expect([0.5, 59, 93_784, 86_460].map((seconds) => formatLongDuration(seconds))).toEqual([
      'no time',
      '59 seconds',
      '1 day and 2 hours',
      '1 day and 1 minute',
    ])
  })

  it('never rounds a signed duration', () => {
    expect(formatExactDuration(93_784)).toBe('1 day and 2 hours and 3 minutes and 4 seconds')
  })

  it('shortens a duration for a narrow column', () => {
    expect([-1, 12.9, 250, 7_200, 2_600_000].map(formatCompactDuration)).toEqual([
      '0 s',
      '12 s',
      '4 min',
      '2 h',
      '30 d',
    ])
  })
})

describe('moments', () => {
  it('shows Unix seconds in UTC', () => {
    expect(isoTime(1_800_000_000)).toBe('2027-01-15T08:00:00Z')
    expect(formatMoment(1_800_000_000n)).toBe('2027-01-15 08:00:00 UTC')
    expect(formatMinute(1_800_000_000)).toBe('2027-01-15 08:00')
  })

  it('shows moments that a date cannot represent', () => {
    expect(isoTime(2n ** 64n)).toBe('the end of time')
    expect(formatMoment(2n ** 64n)).toBe('second 18446744073709551616')
  })
})
