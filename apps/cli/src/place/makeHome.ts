import { mkdirSync } from 'node:fs'
import { BardoError } from '@bardo/core'

/** Makes the data folder, for its owner alone, unless it is there. */
export function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new BardoError('The data folder cannot be made.', {
      code: 'STORE_UNWRITABLE',
      details: [home],
      remedy: 'Choose another with --home or BARDO_HOME.',
      cause,
    })
  }
}
