import type { GolemEvent } from './golemEvent.ts'

/** Plain data that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** An event for a database, a socket or a log: amounts become decimal texts. */
export function eventToJson(event: GolemEvent): JsonValue {
  return toJson(event)
}

function toJson(value: unknown): JsonValue {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string' || typeof value === 'boolean') return value
  // JSON has no Infinity; a ratio without costs is one.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.map(toJson)
  if (value === null || typeof value !== 'object') return null
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([key, inner]) => [key, toJson(inner)]))
}
