import { inspect } from 'node:util'
import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { assertNoSecret } from './assertNoSecret.ts'
import { secret } from './secret.ts'

const digits = 'Ab12'.repeat(16)
const key = secret(`0x${digits}`)
const bytes = Uint8Array.from(Buffer.from(digits, 'hex'))

describe('secrets', () => {
  it('show nothing of themselves when printed, joined or stored', () => {
    const texts = [`${key}`, JSON.stringify({ key }), inspect({ key }, { depth: 9 }), String([key])]
    for (const text of texts) {
      expect(text).toContain('[secret]')
      expect(text.toLowerCase()).not.toContain('ab12')
    }
    expect(() => assertNoSecret(texts, [key])).not.toThrow()
  })

  it.each([
    ['as it is', { a: { b: [`the key is 0x${digits}!`] } }],
    ['without its prefix, in the other case', { note: digits.toUpperCase() }],
    ['as bytes', { raw: bytes }],
    ['as base64', { blob: Buffer.from(bytes).toString('base64') }],
    ['as a name', { [digits]: true }],
    ['in an error', new Error(`refused ${digits}`)],
    ['in an error’s cause', new Error('refused', { cause: new Error(digits) })],
    ['in an error’s details', new BardoError('No.', { code: 'INTERNAL', details: [digits] })],
    ['in a map', new Map([['k', digits]])],
    ['in a set', new Set([digits])],
  ])('are found %s', (_, value) => {
    expect(() => assertNoSecret(value, [key])).toThrow('A secret was about to leave.')
  })

  it('are found in both alphabets of base64', () => {
    const odd = Buffer.from('fbff'.repeat(8), 'hex')
    for (const alphabet of ['base64', 'base64url'] as const)
      expect(() => assertNoSecret([odd.toString(alphabet)], [secret(`0x${odd.toString('hex')}`)])).toThrow(
        'leave',
      )
  })

  it('are not repeated by the alarm', () => {
    const alarm = () => assertNoSecret({ deep: { note: digits } }, [key])
    expect(alarm).toThrow('the value.deep.note')
    expect(alarm).not.toThrow(digits)
  })

  it('do not alarm for what only looks alike, and survive a loop', () => {
    const loop: { self?: unknown; address: string } = { address: `0x${'ab'.repeat(20)}` }
    loop.self = loop
    expect(() => assertNoSecret(loop, [key, secret('short')])).not.toThrow()
  })
})
