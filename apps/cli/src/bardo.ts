import { catalog } from './commands/catalog.ts'
import { commandHelp, overview } from './terminal/help.ts'
import { parseCommand } from './terminal/parseCommand.ts'
import { reportError } from './terminal/reportError.ts'
import { createTerminal, type TerminalParts } from './terminal/terminal.ts'

/** The parts of a process that a command uses. */
export type Surroundings = Pick<TerminalParts, 'stdin' | 'stdout' | 'stderr' | 'env'> & {
  /** Called with how Ctrl-C stops the command: through its signal (`asks`), or by ending the process (`ends`). */
  onInterrupt?(stop: 'asks' | 'ends'): void
  readonly signal: AbortSignal
}

/** Runs one command line of `bardo`. Returns the exit code. Imports only what the command needs. */
export async function bardo(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const terminal = createTerminal({
    ...surroundings,
    isJson: words.includes('--json'),
    isPlain: words.includes('--plain'),
  })
  try {
    const parsed = parseCommand(words, catalog)
    if (parsed.type === 'help')
      terminal.print(parsed.command ? commandHelp(parsed.command) : overview(catalog))
    if (parsed.type === 'version') terminal.print('0.1.0')
    if (parsed.type !== 'run') return 0
    surroundings.onInterrupt?.(parsed.command.stopsItself ? 'asks' : 'ends')
    const run = await parsed.command.load()
    const result = await run({ ...parsed.call, terminal, env: surroundings.env, signal: surroundings.signal })
    if (result && terminal.isJson) terminal.printJson(result.data)
    else if (result && result.text !== '') terminal.print(result.text)
    return result?.exit ?? 0
  } catch (error) {
    return reportError(error, terminal, words.includes('--debug'))
  }
}
