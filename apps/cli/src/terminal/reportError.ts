import type { Terminal } from './terminal.ts'
import { UsageError } from './UsageError.ts'

/** The exit code of a usage error. */
const usageExit = 2
/** The exit code of a bug in Bardo; the same as for the error code INTERNAL. */
const defectExit = 70

/** Prints what failed, the numbers and the remedy; the stack trace only with `--debug`. Returns the exit code. */
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
  // Imported late, to keep usage errors fast. A command that throws a BardoError has loaded it already.
  const { BardoError, errorCodes } = await import('@bardo/core')
  if (error instanceof BardoError)
    return { exit: errorCodes[error.code].exit, json: error.toJSON(), text: error.message }
  const message = 'Unexpected error: this is a bug in Bardo.'
  const remedy = 'Run it again with --debug for the stack trace.'
  const kind = error instanceof Error ? error.name : typeof error
  return {
    exit: defectExit,
    json: { code: 'INTERNAL', message, details: [kind], remedy },
    text: `${message} (${kind}) ${remedy}`,
  }
}
