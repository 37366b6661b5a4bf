import { BardoError } from '@bardo/core'
import type { Failure } from './golemEvent.ts'

/** A failure in our own words. Of a stranger's error only its class is told: its text may hold an address with a key. */
export function failureOf(error: unknown): Failure {
  if (error instanceof BardoError) {
    const { code, shortMessage: message, outcome, remedy } = error
    return { code, message, outcome, ...(remedy && { remedy }) }
  }
  const name = error instanceof Error ? error.constructor.name : typeof error
  return { code: 'UNKNOWN', message: `${name} from outside`, outcome: 'unknown' }
}
