import { BardoError } from '@bardo/core'

/**
 * What can be stored: plain data, including whole numbers of any size. Keys, classes and functions cannot.
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | bigint
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

const bigintTag = '$bigint'

/**
 * Plain data as text. One value has one text, whatever the order of its keys, so that it can be hashed. A
 * bigint is `{"$bigint":"12"}`; a key of the value that begins with `$` gets a second `$`. Undefined
 * properties are omitted. Values that are not plain data are refused.
 */
export function encodeJson(value: unknown): string {
  return encode(value, [])
}

/** Decodes a text that {@link encodeJson} wrote. */
export function decodeJson(text: string): unknown {
  return decode(JSON.parse(text))
}

function encode(value: unknown, path: readonly string[]): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `{"${bigintTag}":"${value}"}`
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value))
    // By `Array.from`, so that a hole is refused like `undefined`.
    return `[${Array.from(value, (item, index) => encode(item, [...path, `${index}`])).join(',')}]`
  if (typeof value === 'object' && isPlain(value)) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => ({ key: key.startsWith('$') ? `$${key}` : key, field, path: [...path, key] }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    return `{${fields.map(({ key, field, path }) => `${JSON.stringify(key)}:${encode(field, path)}`).join(',')}}`
  }
  // The value itself is not shown: it may be a key.
  throw new BardoError('Only plain data can be stored.', {
    code: 'INVALID_INPUT',
    details: [`${path.join('.') || 'the value'} is not plain data`],
  })
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && only?.[0] === bigintTag) return BigInt(String(only[1]))
  // By entries, so that a key such as `__proto__` is an ordinary name.
  return Object.fromEntries(
    entries.map(([key, field]) => [key.startsWith('$') ? key.slice(1) : key, decode(field)]),
  )
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
