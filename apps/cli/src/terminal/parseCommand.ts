import { parseArgs } from 'node:util'
import { type Argument, type Command, type CommandInput, commonOptions, type Option } from './command.ts'
import { nearestName } from './nearestName.ts'
import { shown } from './shown.ts'
import { UsageError } from './UsageError.ts'

/** A parsed command line. */
export type Parsed =
  /** Help on one command, or the overview. */
  | { readonly type: 'help'; readonly command: Command | undefined }
  | { readonly type: 'version' }
  | {
      readonly type: 'run'
      readonly command: Command
      readonly call: Pick<CommandInput, 'arguments' | 'options'>
    }

/** Parses a command line. Throws a {@link UsageError} that suggests the most similar name. */
export function parseCommand(words: readonly string[], catalog: readonly Command[]): Parsed {
  const [name, ...rest] = words
  if (name === undefined || name === '--help' || name === '-h') return { type: 'help', command: undefined }
  if (name === '--version' || name === '-V') return { type: 'version' }
  if (name === 'help') return helpOn(rest[0], catalog)
  const command = find(name, catalog)
  if (rest.includes('--help') || rest.includes('-h')) return { type: 'help', command }
  const options = [...command.options, ...commonOptions]
  const { values, positionals } = parse(command, options, rest)
  return { type: 'run', command, call: { arguments: place(command, positionals), options: values } }
}

function helpOn(name: string | undefined, catalog: readonly Command[]): Parsed {
  return { type: 'help', command: name === undefined ? undefined : find(name, catalog) }
}

function find(name: string, catalog: readonly Command[]): Command {
  const command = catalog.find((one) => one.name === name)
  if (command) return command
  if (name.startsWith('-'))
    throw new UsageError(`Options go after a command: bardo COMMAND ${shown(name)}.`, 'See bardo --help.')
  const nearest = nearestName(
    name,
    catalog.map((one) => one.name),
  )
  const remedy = nearest ? `Did you mean "bardo ${nearest}"?` : 'See bardo --help.'
  throw new UsageError(`Unknown command "${shown(name)}".`, remedy)
}

function parse(command: Command, options: readonly Option[], words: readonly string[]) {
  const specs = Object.fromEntries(
    options.map(({ name, value }) => [name, { type: value ? ('string' as const) : ('boolean' as const) }]),
  )
  try {
    return parseArgs({ args: [...words], options: specs, allowPositionals: true, strict: true })
  } catch (error) {
    throw usageErrorFor(command, options, words, error)
  }
}

function usageErrorFor(
  { name }: Command,
  options: readonly Option[],
  words: readonly string[],
  cause: unknown,
): UsageError {
  const remedy = `See bardo ${name} --help.`
  const names = options.map((option) => option.name)
  for (const word of words) {
    const [, typed] = /^--([^=]+)/.exec(word) ?? []
    const option = options.find((candidate) => candidate.name === typed)
    if (typed !== undefined && !option) {
      const nearest = nearestName(typed, names)
      const suggestion = nearest ? `Did you mean --${nearest}?` : remedy
      return new UsageError(`Unknown option --${shown(typed)} for bardo ${name}.`, suggestion)
    }
    if (option && !option.value && word.includes('='))
      return new UsageError(`--${option.name} takes no value.`, remedy)
  }
  const missing = options.find(({ name: own, value }) => value && `${cause}`.includes(`--${own}`))
  if (missing)
    return new UsageError(`--${missing.name} needs a value: --${missing.name} ${missing.value}.`, remedy)
  const short = words.find((word) => /^-[^-]/.test(word))
  return new UsageError(
    short ? `Unknown option ${shown(short)} for bardo ${name}.` : `Invalid options for bardo ${name}.`,
    remedy,
  )
}

function place(command: Command, words: readonly string[]): CommandInput['arguments'] {
  const { name, arguments: wanted } = command
  const remedy = `See bardo ${name} --help.`
  const placed = wanted.map((argument, at): [string, string | undefined] => {
    const word = argument.isRest ? words.slice(at).join(' ') || undefined : words[at]
    if (word === undefined && !argument.isOptional)
      throw new UsageError(`Missing argument ${argument.name} (${describe(argument)}).`, remedy)
    if (word !== undefined) requireChoice(argument, word)
    return [argument.name, word]
  })
  const beyond = wanted.some(({ isRest }) => isRest) ? undefined : words[wanted.length]
  if (beyond !== undefined)
    throw new UsageError(`Unexpected argument "${shown(beyond)}" for bardo ${name}.`, remedy)
  return Object.fromEntries(placed)
}

function describe({ summary, choices }: Argument): string {
  return choices ? `${summary}: ${choices.join(', ')}` : summary
}

function requireChoice({ name, choices, hiddenChoices = [] }: Argument, word: string): void {
  if (!choices || choices.includes(word) || hiddenChoices.includes(word)) return
  const nearest = nearestName(word, choices)
  const remedy = nearest ? `Did you mean "${nearest}"?` : `Choose one of: ${choices.join(', ')}.`
  throw new UsageError(`"${shown(word)}" is not a valid ${name}.`, remedy)
}
