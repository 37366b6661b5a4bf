import { BardoError } from '@bardo/core'
import type { Secret } from '../config/secret.ts'

/** A shorter text would match by chance. */
const leastLength = 8

/**
 * Throws if a value contains one of the secrets: as it is, in another case, in hexadecimal, in base64, or as
 * bytes. The
 * message says where, never what.
 */
export function assertNoSecret(value: unknown, secrets: readonly Secret[]): void {
  const needles = secrets.flatMap((secret) => shapesOf(secret.reveal()))
  const seen = new Set<unknown>()
  const visit = (part: unknown, path: string): void => {
    if (typeof part === 'string' || typeof part === 'bigint' || typeof part === 'number')
      check(String(part), path)
    if (part === null || typeof part !== 'object' || seen.has(part)) return
    seen.add(part)
    if (part instanceof Uint8Array) {
      for (const shape of ['hex', 'latin1'] as const) check(Buffer.from(part).toString(shape), path)
      return
    }
    if (part instanceof Map) for (const [key, inner] of part) visit([key, inner], `${path} (map)`)
    if (part instanceof Set) for (const inner of part) visit(inner, `${path} (set)`)
    // Own keys of every kind: an error's message and cause are not enumerable.
    for (const key of Reflect.ownKeys(part)) {
      check(String(key), `a name in ${path}`)
      visit(Reflect.get(part, key), `${path}.${String(key)}`)
    }
  }
  const check = (text: string, path: string): void => {
    const lower = text.toLowerCase()
    if (!needles.some((needle) => lower.includes(needle))) return
    throw new BardoError('A value contains a secret.', { code: 'INTERNAL', details: [`found in ${path}`] })
  }
  visit(value, 'the value')
}

function shapesOf(text: string): string[] {
  if (text.length < leastLength) return []
  const hex = text.match(/^0x([0-9a-f]+)$/i)?.[1]
  const bytes = Buffer.from(hex ?? text, hex === undefined ? 'utf8' : 'hex')
  const shapes = [
    text,
    hex ?? '',
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
  // Padding depends on the surrounding text.
  const bare = shapes.map((shape) => shape.toLowerCase().replace(/=+$/, ''))
  return [...new Set(bare)].filter((shape) => shape.length >= leastLength)
}
