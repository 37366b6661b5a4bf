import { BardoError } from '@bardo/core'
import { serveOffice } from '../office/serveOffice.ts'
import { socketPath } from '../office/socketPath.ts'
import { openPlace } from '../place/openPlace.ts'
import { readSettings } from '../place/settings.ts'
import type { Run } from '../shell/command.ts'
import { runHeart } from '../up/runHeart.ts'
import { numberOption } from './words.ts'

/** `bardo worker`: ticks Golems until Ctrl-C. One that has the folder to itself serves its office too. */
export const worker: Run = async (call) => {
  const { terminal, signal } = call
  const settings = readSettings(call)
  const concurrency = numberOption(call, 'concurrency', { least: 1, most: 1_000, otherwise: 100 })
  await using place = await openPlace(settings)
  const onError = (error: unknown) =>
    terminal.note(error instanceof BardoError ? error.message : `A defect: ${error}`)
  await using _office = settings.databaseUrl
    ? undefined
    : await serveOffice(place, socketPath(settings.home), onError)
  const { chainId } = place.chain.deployment
  if (terminal.isJson) terminal.printJson({ is: 'ready', chainId, pid: process.pid })
  else terminal.print(`Working on chain ${chainId}. Ctrl-C stops it; others, or the next start, go on.`)
  await runHeart(place, { signal, concurrency, onError })
  return undefined
}
