import { BardoError } from '@bardo/core'
import type { Failure } from './golemEvent.ts'

/**
 * The failure of an error. Of an error that is not a BardoError only the class is kept: its message may
 * contain a URL with a key.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof BardoError) {
    const { code, shortMessage: message, outcome, remedy } = error
    return { code, message, outcome, ...(remedy && { remedy }) }
  }
  const name = error instanceof Error ? error.constructor.name : typeof error
  return { code: 'UNKNOWN', message: `Unexpected ${name}`, outcome: 'unknown' }
}
