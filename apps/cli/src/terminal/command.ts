import type { Terminal } from './terminal.ts'

/** A positional argument of a command. */
export type Argument = {
  readonly name: string
  readonly summary: string
  readonly isOptional?: true
  /** Takes all remaining words. */
  readonly isRest?: true
  /** The only accepted values. */
  readonly choices?: readonly string[]
  /** Accepted too, for scripts, but not documented. */
  readonly hiddenChoices?: readonly string[]
  /** What a shell offers when it completes. */
  readonly completes?: 'golem' | 'file'
}

/** An option, such as `--name NAME`. */
export type Option = {
  readonly name: string
  /** The value's name in the help; undefined for a switch. */
  readonly value?: string
  readonly summary: string
  readonly completes?: 'golem' | 'file'
}

/** The parsed arguments and options of a command, and what it runs with. */
export type CommandInput = {
  /** By the argument's name. The words of a rest argument are joined with spaces. */
  readonly arguments: Readonly<Record<string, string | undefined>>
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly terminal: Terminal
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** The result of a command. */
export type CommandResult = {
  /** For programs: plain JSON. */
  readonly data: unknown
  /** For people. */
  readonly text: string
  /** The exit code. Default: 0. */
  readonly exit?: number
}

/** Runs a command. One that prints while it runs returns nothing. */
export type Run = (input: CommandInput) => Promise<CommandResult | undefined>

/** The groups in which help lists the commands. */
export const groups = ['Start', 'Inspect', 'Control', 'Operate'] as const

/** A command of `bardo`: what help, parsing and completion need, and a loader for its code. */
export type Command = {
  readonly name: string
  readonly group: (typeof groups)[number]
  readonly summary: string
  /** One paragraph per entry. */
  readonly details: readonly string[]
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  readonly examples: readonly string[]
  /** On Ctrl-C its signal is aborted and it shuts down itself. Other commands are simply terminated. */
  readonly stopsItself?: true
  load(): Promise<Run>
}

/** Options of every command. */
export const commonOptions: readonly Option[] = [
  { name: 'home', value: 'DIR', summary: 'the data folder (BARDO_HOME, else ~/.bardo)', completes: 'file' },
  {
    name: 'rpc',
    value: 'URL',
    summary: 'the RPC node; default: the local chain of bardo up (BARDO_RPC_URL)',
  },
  { name: 'json', summary: 'print JSON, for programs' },
  { name: 'plain', summary: 'no colours, ASCII only, no lines that overwrite themselves' },
  { name: 'debug', summary: 'show the stack trace of an error' },
  { name: 'help', summary: 'show this help' },
]
