import { BardoError } from '@bardo/core'
import type { Failure } from './golemEvent.ts'

/** A failure in our own words. Of a stranger's error only its class is told: its text may hold an address with a key. */
export function failureOf(error: unknown): Failure {
  if (error instanceof BardoError)
    return { code: error.code, message: error.shortMessage, outcome: error.outcome }
  const name = error instanceof Error ? error.constructor.name : typeof error
  return { code: 'UNKNOWN', message: `${name} from outside`, outcome: 'unknown' }
}
