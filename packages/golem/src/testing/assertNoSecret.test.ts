import { inspect } from 'node:util'
import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { secret } from '../config/secret.ts'
import { assertNoSecret } from './assertNoSecret.ts'

const digits = 'Ab12'.repeat(16)
const key = secret(`0x${digits}`)
const bytes = Uint8Array.from(Buffer.from(digits, 'hex'))

describe('secrets', () => {
  it('are hidden when printed, joined or serialized', () => {
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
    expect(() => assertNoSecret(value, [key])).toThrow('A value contains a secret.')
  })

  it('are found in both alphabets of base64', () => {
    const odd = Buffer.from('fbff'.repeat(8), 'hex')
    for (const alphabet of ['base64', 'base64url'] as const)
      expect(() => assertNoSecret([odd.toString(alphabet)], [secret(`0x${odd.toString('hex')}`)])).toThrow(
        'contains a secret',
      )
  })

  it('are not repeated by the error', () => {
    const attempt = () => assertNoSecret({ deep: { note: digits } }, [key])
    expect(attempt).toThrow('the value.deep.note')
    expect(attempt).not.toThrow(digits)
  })

  it('do not match similar texts, and cycles are handled', () => {
    const loop: { self?: unknown; address: string } = { address: `0x${'ab'.repeat(20)}` }
    loop.self = loop
    expect(() => assertNoSecret(loop, [key, secret('short')])).not.toThrow()
  })
})
