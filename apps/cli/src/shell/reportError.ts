import type { Terminal } from './terminal.ts'
import { UsageError } from './UsageError.ts'

/** A wrong call. */
const usageExit = 2
/** A defect of ours. Origin: the table of error codes. */
const defectExit = 70

/**
 * Says what went wrong: what, with which numbers, and what to do; where it comes from only with `--debug`. Returns what the
 * process ends with.
 */
export async function reportError(error: unknown, terminal: Terminal, isDebug: boolean): Promise<number> {
  const { exit, json, text } = await describe(error)
  if (terminal.isJson) terminal.printJson({ error: json })
  else terminal.note(text)
  if (isDebug && error instanceof Error) terminal.note(error.stack ?? error.message)
  return exit
}

async function describe(error: unknown) {
  if (error instanceof UsageError) {
    const { message, remedy } = error
    return { exit: usageExit, json: { code: 'USAGE', message, remedy }, text: `${message} ${remedy}` }
  }
  // Whoever threw one of ours has loaded this already.
  const { BardoError, errorCodes } = await import('@bardo/core')
  if (error instanceof BardoError)
    return { exit: errorCodes[error.code].exit, json: error.toJSON(), text: error.message }
  const message = 'This should not have happened: it is a defect of Bardo.'
  const remedy = 'Run it again with --debug to see where it comes from.'
  const kind = error instanceof Error ? error.name : typeof error
  return {
    exit: defectExit,
    json: { code: 'INTERNAL', message, details: [kind], remedy },
    text: `${message} (${kind}) ${remedy}`,
  }
}
