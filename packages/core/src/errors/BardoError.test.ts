import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { BardoError } from './BardoError.ts'
import { type ErrorCode, errorCodes } from './codes.ts'

describe('BardoError', () => {
  it('prints what failed, the numbers, the remedy and the docs link, in that order', () => {
    const error = new BardoError('The daily limit would be exceeded.', {
      code: 'SPEND_LIMIT_EXCEEDED',
      details: ['spent 950.00 of 1,000.00 USD', 'asked for 100.00 USD'],
      remedy: 'Ask for at most 50.00 USD, or wait until 14:00.',
      docsPath: 'caveats.md#dailyspendlimit',
    })
    expect(error.message).toBe(
      [
        'The daily limit would be exceeded.',
        '  spent 950.00 of 1,000.00 USD',
        '  asked for 100.00 USD',
        'Ask for at most 50.00 USD, or wait until 14:00.',
        'See docs/caveats.md#dailyspendlimit',
      ].join('\n'),
    )
    expect(error.shortMessage).toBe('The daily limit would be exceeded.')
  })

  it('assumes that nothing was sent by default', () => {
    expect(new BardoError('x', { code: 'INTERNAL' }).outcome).toBe('not-sent')
    expect(new BardoError('x', { code: 'INTERNAL', outcome: 'unknown' }).outcome).toBe('unknown')
  })

  it('takes `retryable` from its code, unless it is given', () => {
    expect(new BardoError('x', { code: 'ANVIL_FAILED' }).retryable).toBe(true)
    expect(new BardoError('x', { code: 'INTERNAL' }).retryable).toBe(false)
    expect(new BardoError('x', { code: 'ANVIL_FAILED', retryable: false }).retryable).toBe(false)
  })

  it('does not expose its cause', () => {
    const error = new BardoError('x', { code: 'INTERNAL', cause: new Error('the key is 0xsecret') })
    expect(error.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(error) + error.message).not.toContain('secret')
  })

  it('prints only the type of a foreign cause, and the full text of a BardoError cause', () => {
    const stranger = new TypeError('https://node.example/v2/secret-key did not answer')
    const inner = new BardoError('The node does not answer.', { code: 'RPC_UNAVAILABLE', cause: stranger })
    const outer = new BardoError('Nothing can be seen.', { code: 'RPC_UNAVAILABLE', cause: inner })
    expect(inspect(inner)).toMatch(/The node does not answer\..*\[cause\]: TypeError$/s)
    expect(inspect(outer)).toContain('[cause]: BardoError: The node does not answer.')
    for (const error of [inner, outer]) expect(inspect(error)).not.toContain('secret-key')
    expect(inspect(new BardoError('Alone.', { code: 'INTERNAL' }))).not.toContain('[cause]')
  })

  it('walks its causes, and stops if they loop', () => {
    const inner: Error & { cause?: unknown } = new TypeError('inner')
    const error = new BardoError('outer', { code: 'INTERNAL', cause: new Error('middle', { cause: inner }) })
    expect(error.walk((candidate) => candidate instanceof TypeError)).toBe(inner)
    expect(error.walk((candidate) => candidate === error)).toBe(error)
    inner.cause = error
    expect(error.walk((candidate) => candidate instanceof RangeError)).toBeUndefined()
  })
})

describe('errorCodes', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('%s has a value for every surface', (code) => {
    const { http, mcp, exit } = errorCodes[code]
    expect(http).toBeGreaterThanOrEqual(400)
    expect(http).toBeLessThan(600)
    // JSON-RPC reserves these for errors of the protocol and of the server.
    expect(mcp).toBeGreaterThanOrEqual(-32768)
    expect(mcp).toBeLessThanOrEqual(-32000)
    expect(exit).toBeGreaterThanOrEqual(64)
    expect(exit).toBeLessThanOrEqual(78)
  })
})
