import type { Terminal } from './terminal.ts'

/** What stands behind a command's name. */
export type Argument = {
  readonly name: string
  readonly summary: string
  readonly isOptional?: true
  /** Takes all words that are left. */
  readonly isRest?: true
  /** Nothing else is taken. */
  readonly choices?: readonly string[]
  /** What a shell offers when it completes. */
  readonly completes?: 'golem' | 'file'
}

/** What begins with two dashes. */
export type Option = {
  readonly name: string
  /** What it takes, as help shows it; left out: it is a switch. */
  readonly value?: string
  readonly summary: string
  readonly completes?: 'golem' | 'file'
}

/** A call of a command, taken apart. */
export type Call = {
  /** By the argument's name; the words of a rest are joined by spaces. */
  readonly arguments: Readonly<Record<string, string | undefined>>
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly terminal: Terminal
  readonly env: NodeJS.ProcessEnv
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** What a command says at its end. */
export type Said = {
  /** For programs: plain JSON. */
  readonly data: unknown
  /** For people. */
  readonly text: string
  /** 0 unless told. */
  readonly exit?: number
}

/** The work of a command. One that talks meanwhile returns nothing. */
export type Run = (call: Call) => Promise<Said | undefined>

/** The groups in which help lists the commands. */
export const groups = ['Begin', 'Look', 'Decide', 'Operate'] as const

/** A command of `bardo`: all that help, parsing and completion know, and its work, loaded when it is called. */
export type Command = {
  readonly name: string
  readonly group: (typeof groups)[number]
  readonly summary: string
  /** One paragraph an entry. */
  readonly details: readonly string[]
  readonly arguments: readonly Argument[]
  readonly options: readonly Option[]
  readonly examples: readonly string[]
  /** It hears Ctrl-C and ends in good order; any other is simply ended, as it can be at any point. */
  readonly stopsItself?: true
  load(): Promise<Run>
}

/** What every command takes. */
export const commonOptions: readonly Option[] = [
  { name: 'home', value: 'DIR', summary: 'the data folder (BARDO_HOME, else ~/.bardo)', completes: 'file' },
  { name: 'rpc', value: 'URL', summary: 'a node, where no local world runs (BARDO_RPC_URL)' },
  { name: 'json', summary: 'say it as JSON, for programs' },
  { name: 'plain', summary: 'no colour, no drawn characters, no line that is written over' },
  { name: 'debug', summary: 'show where an error comes from' },
  { name: 'help', summary: 'this text' },
]
