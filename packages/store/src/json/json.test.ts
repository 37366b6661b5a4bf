import { isDeepStrictEqual } from 'node:util'
import { generateSessionKey } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJson, encodeJson, type Json } from './json.ts'

const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('$bigint', '$$bigint', '$', '__proto__', 'constructor', 'toJSON'),
)
const data = fc.letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    // JSON does not distinguish 0 from -0.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.string({ unit: 'binary' }),
    fc.bigInt(),
    fc.constant(2n ** 256n - 1n),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
})).value

describe('stored JSON', () => {
  it('is read back unchanged', () => {
    fc.assert(
      fc.property(data, (value) => {
        // Node's own comparison: vitest's mistakes a key named `constructor` for the object's class.
        expect(isDeepStrictEqual(decodeJson(encodeJson(value)), value)).toBe(true)
      }),
    )
  })

  it('has one text for one value', () => {
    expect(encodeJson({ b: 1n, a: [true, null], $x: '', c: undefined })).toBe(
      '{"$$x":"","a":[true,null],"b":{"$bigint":"1"}}',
    )
    expect(encodeJson({ a: 1, b: 2 })).toBe(encodeJson({ b: 2, a: 1 }))
  })

  it('does not mistake a caller’s object for a bigint', () => {
    expect(decodeJson(encodeJson({ $bigint: '12' }))).toStrictEqual({ $bigint: '12' })
  })

  it('refuses values that are not plain data, without showing them', () => {
    const secret = new Uint8Array(32).fill(0xab)
    const sessionKey = generateSessionKey('secp256k1', () => secret.slice())
    const refused = [
      new Date(0),
      new Map(),
      secret,
      sessionKey,
      () => 1,
      Symbol('x'),
      Number.NaN,
      [undefined],
      new Array(1),
    ]
    for (const value of refused) {
      expect(() => encodeJson({ deep: [value] })).toThrow(/deep\.0.* is not plain data/)
    }
  })

  it('refuses keys by type', () => {
    const store = (_: Json) => {}
    // @ts-expect-error bytes are not data
    store(new Uint8Array(32))
    // @ts-expect-error a session key is not data
    store(generateSessionKey('p256', (length) => new Uint8Array(length).fill(1)))
    store({ amount: 1n, list: ['a', { nested: null }] })
  })
})
