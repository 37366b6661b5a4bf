import { BardoError, type ErrorCode, errorCodes } from '@bardo/core'
import { expect, it } from 'vitest'
import { refusedUnexplained } from './refusedRedemption.ts'

const unsent = new BardoError('It reverts.', { code: 'TRANSACTION_REVERTED', outcome: 'not-sent' })

function codeOf(name: string, args: readonly bigint[] = []): ErrorCode {
  const text = `${name}(${args.join(', ')})`
  return refusedUnexplained({ name, args, text, data: '0x', remedy: undefined }, unsent).code
}

it.each<[string, ErrorCode]>([
  ['TooSoon', 'TOO_SOON'],
  ['SlippageExceeded', 'PRICE_MOVED'],
  ['SpotUnfair', 'PRICE_MOVED'],
  ['FeedStale', 'PRICE_UNUSABLE'],
  ['FeedUnavailable', 'PRICE_UNUSABLE'],
  ['FeedNotPositive', 'PRICE_UNUSABLE'],
  ['QuoteNotPositive', 'PRICE_UNUSABLE'],
  ['PriceNotSupported', 'PRICE_UNUSABLE'],
  ['SequencerDown', 'PRICE_UNUSABLE'],
  ['WindowNotObserved', 'PRICE_UNUSABLE'],
  ['NoLiquidity', 'PRICE_UNUSABLE'],
  ['NoAnswer', 'PRICE_UNUSABLE'],
  ['GolemDreaming', 'GOLEM_DREAMING'],
  ['MoodOutOfBounds', 'MOOD_OUT_OF_BOUNDS'],
  ['AccountBusy', 'RATE_LIMITED'],
  ['LineageBusy', 'RATE_LIMITED'],
])('%s has the retryable code %s', (name, code) => {
  expect(codeOf(name)).toBe(code)
  expect(errorCodes[code].retryable).toBe(true)
})

it.each([
  'SpendLimitExceeded',
  'TotalExceeded',
  'GasLimitExceeded',
  'AllowanceExceeded',
  'SizeExceeded',
  'BelowFloor',
  'NAVExceeded',
  'NavExceeded',
])('%s has the code of a spending limit', (name) => {
  expect(codeOf(name)).toBe('SPEND_LIMIT_EXCEEDED')
})

it('distinguishes a window that has not started from one that has ended', () => {
  expect(codeOf('OutsideWindow', [10n, 20n, 30n])).toBe('TOO_SOON')
  expect(codeOf('OutsideWindow', [31n, 20n, 30n])).toBe('DELEGATION_EXPIRED')
})

it('gives every other refusal the code REDEMPTION_REFUSED', () => {
  for (const name of ['TargetNotAllowed', 'MethodNotAllowed', 'RecipientNotAccount', 'CallsUsedUp'])
    expect(codeOf(name)).toBe('REDEMPTION_REFUSED')
})
