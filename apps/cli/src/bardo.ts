import { catalog } from './shell/catalog.ts'
import { commandHelp, overview } from './shell/help.ts'
import { parseCommand } from './shell/parseCommand.ts'
import { reportError } from './shell/reportError.ts'
import { createTerminal, type TerminalParts } from './shell/terminal.ts'

/** What of a process a command sees. */
export type Surroundings = Pick<TerminalParts, 'stdin' | 'stdout' | 'stderr' | 'env'> & {
  /** Hears how the command that runs is to be interrupted: by asking it, or by simply ending. */
  onInterrupt?(stop: 'asks' | 'ends'): void
  readonly signal: AbortSignal
}

/** One call of `bardo`, as a shell sees it. Returns what it ends with. Nothing is loaded that the command does not need. */
export async function bardo(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const terminal = createTerminal({
    ...surroundings,
    isJson: words.includes('--json'),
    isPlain: words.includes('--plain'),
  })
  try {
    const parsed = parseCommand(words, catalog)
    if (parsed.is === 'help') terminal.print(parsed.command ? commandHelp(parsed.command) : overview(catalog))
    if (parsed.is === 'version') terminal.print('0.1.0')
    if (parsed.is !== 'run') return 0
    surroundings.onInterrupt?.(parsed.command.stopsItself ? 'asks' : 'ends')
    const run = await parsed.command.load()
    const said = await run({ ...parsed.call, terminal, env: surroundings.env, signal: surroundings.signal })
    if (said && terminal.isJson) terminal.printJson(said.data)
    else if (said && said.text !== '') terminal.print(said.text)
    return said?.exit ?? 0
  } catch (error) {
    return reportError(error, terminal, words.includes('--debug'))
  }
}
