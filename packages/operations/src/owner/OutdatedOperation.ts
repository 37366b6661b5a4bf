import { BardoError } from '@bardo/core'

/** Thrown when an operation does not fit any more what the chain or the store has. */
export class OutdatedOperation extends BardoError {
  constructor(because: string, ...more: readonly string[]) {
    super('The prepared operation is out of date.', {
      code: 'STEP_OUT_OF_ORDER',
      outcome: 'not-sent',
      details: [because, ...more],
      remedy: 'Prepare it again, and sign the new one.',
    })
  }
}
