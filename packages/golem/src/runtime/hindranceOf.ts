import { BardoError } from '@bardo/core'
import { outageOf } from '../recovery/recovery.ts'

/** Why a dying Golem cannot send anything any more; undefined where an error says nothing of the kind. */
export function hindranceOf(error: unknown): string | undefined {
  if (outageOf(error) === 'keyLost') return 'the session key is gone'
  if (error instanceof BardoError && error.code === 'INSUFFICIENT_FUNDS') return 'there is no gas left'
  return undefined
}
