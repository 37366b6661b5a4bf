import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { secret } from '../config/secret.ts'
import { assertNoSecret } from '../testing/assertNoSecret.ts'
import { eventToJson } from './eventToJson.ts'
import { failureOf } from './failureOf.ts'

describe('events', () => {
  it('are serialized to JSON, with amounts as decimal strings', () => {
    const spentCents = 2n ** 80n
    const json = eventToJson({ name: 'action.landed', intent: 'a', transaction: '0x12', spentCents })
    expect(JSON.parse(JSON.stringify(json))).toEqual({
      name: 'action.landed',
      intent: 'a',
      transaction: '0x12',
      spentCents: '1208925819614629174706176',
    })
    const odd = eventToJson({ name: 'tool:end', tool: 't', call: '1', output: { ratio: Infinity, left: 5n } })
    expect(odd).toMatchObject({ output: { ratio: 'Infinity', left: '5' } })
  })

  it('contain the message of a BardoError, and only the class of any other error', () => {
    const canary = secret('https://rpc.example/v2/abcdefgh12345678')
    const foreign = failureOf(new TypeError(`fetch failed: ${canary.reveal()}`))
    expect(foreign).toEqual({ code: 'UNKNOWN', message: 'Unexpected TypeError', outcome: 'unknown' })
    const ours = failureOf(
      new BardoError('No answer.', { code: 'RPC_UNAVAILABLE', cause: new Error(canary.reveal()) }),
    )
    expect(ours).toEqual({ code: 'RPC_UNAVAILABLE', message: 'No answer.', outcome: 'not-sent' })
    assertNoSecret([foreign, ours, failureOf(canary.reveal())], [canary])
  })
})
