import { BardoError } from '../errors/BardoError.ts'

/**
 * The canonical text of a value: sorted keys, no whitespace, bigints as decimal strings. Throws if JSON
 * cannot represent the value.
 *
 * @example
 * canonicalJson({ b: 1n, a: 'x' }) // '{"a":"x","b":"1"}'
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(value.toString())
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && isPlain(value)) {
    const members = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`)
    return `{${members.join(',')}}`
  }
  throw new BardoError('The value has no canonical JSON form.', { code: 'INTERNAL', details: [typeof value] })
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
