import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { assertNoSecret } from '../secret/assertNoSecret.ts'
import { secret } from '../secret/secret.ts'
import { eventToJson } from './eventToJson.ts'
import { failureOf } from './failureOf.ts'

describe('events', () => {
  it('are JSON at the edge, with amounts as decimal texts', () => {
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

  it('tell our own failures, and of a stranger’s only its class', () => {
    const canary = secret('https://rpc.example/v2/abcdefgh12345678')
    const foreign = failureOf(new TypeError(`fetch failed: ${canary.reveal()}`))
    expect(foreign).toEqual({ code: 'UNKNOWN', message: 'TypeError from outside', outcome: 'unknown' })
    const ours = failureOf(
      new BardoError('No answer.', { code: 'RPC_UNAVAILABLE', cause: new Error(canary.reveal()) }),
    )
    expect(ours).toEqual({ code: 'RPC_UNAVAILABLE', message: 'No answer.', outcome: 'not-sent' })
    assertNoSecret([foreign, ours, failureOf(canary.reveal())], [canary])
  })
})
