import { cleanText } from './cleanText.ts'
import type { GolemEvent } from './golemEvent.ts'

/** Plain JSON data. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/**
 * Converts an event for a database, a socket or a log: amounts become decimal strings, and every text is
 * cleaned, bounded
 * and redacted here, so that no event can omit it.
 */
export function eventToJson(event: GolemEvent): JsonValue {
  return toJson(event)
}

function toJson(value: unknown): JsonValue {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'boolean') return value
  // JSON has no Infinity; a ratio without costs is infinite.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.map(toJson)
  if (value === null || typeof value !== 'object') return null
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([key, inner]) => [key, toJson(inner)]))
}
