import { mkdirSync } from 'node:fs'
import { BardoError } from '@bardo/core'

/** Creates the data folder with mode 0700, if it does not exist. */
export function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new BardoError('Cannot create the data folder.', {
      code: 'STORE_UNWRITABLE',
      details: [home],
      remedy: 'Choose another folder with --home or BARDO_HOME.',
      cause,
    })
  }
}
