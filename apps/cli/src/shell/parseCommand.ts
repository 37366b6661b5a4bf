import { parseArgs } from 'node:util'
import { type Argument, type Call, type Command, commonOptions, type Option } from './command.ts'
import { nearestName } from './nearestName.ts'
import { shown } from './shown.ts'
import { UsageError } from './UsageError.ts'

/** What was typed. */
export type Parsed =
  /** Of a command, or of all. */
  | { readonly is: 'help'; readonly command: Command | undefined }
  | { readonly is: 'version' }
  | { readonly is: 'run'; readonly command: Command; readonly call: Pick<Call, 'arguments' | 'options'> }

/** Takes a command line apart. What cannot be meant is a {@link UsageError} that names what was likely meant. */
export function parseCommand(words: readonly string[], catalog: readonly Command[]): Parsed {
  const [name, ...rest] = words
  if (name === undefined || name === '--help' || name === '-h') return { is: 'help', command: undefined }
  if (name === '--version' || name === '-V') return { is: 'version' }
  if (name === 'help') return helpOn(rest[0], catalog)
  const command = find(name, catalog)
  if (rest.includes('--help') || rest.includes('-h')) return { is: 'help', command }
  const options = [...command.options, ...commonOptions]
  const { values, positionals } = parse(command, options, rest)
  return { is: 'run', command, call: { arguments: place(command, positionals), options: values } }
}

function helpOn(name: string | undefined, catalog: readonly Command[]): Parsed {
  return { is: 'help', command: name === undefined ? undefined : find(name, catalog) }
}

function find(name: string, catalog: readonly Command[]): Command {
  const found = catalog.find((command) => command.name === name)
  if (found) return found
  if (name.startsWith('-'))
    throw new UsageError(`${shown(name)} comes behind a command.`, 'See bardo --help.')
  const nearest = nearestName(
    name,
    catalog.map((command) => command.name),
  )
  const remedy = nearest ? `Did you mean "bardo ${nearest}"?` : 'See bardo --help.'
  throw new UsageError(`There is no command "${shown(name)}".`, remedy)
}

function parse(command: Command, options: readonly Option[], words: readonly string[]) {
  const known = Object.fromEntries(
    options.map(({ name, value }) => [name, { type: value ? ('string' as const) : ('boolean' as const) }]),
  )
  try {
    return parseArgs({ args: [...words], options: known, allowPositionals: true, strict: true })
  } catch (error) {
    throw misread(command, options, words, error)
  }
}

function misread(
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
      const meant = nearest ? `Did you mean --${nearest}?` : remedy
      return new UsageError(`bardo ${name} has no option --${shown(typed)}.`, meant)
    }
    if (option && !option.value && word.includes('='))
      return new UsageError(`--${option.name} takes no value.`, remedy)
  }
  const missing = options.find(({ name: own, value }) => value && `${cause}`.includes(`--${own}`))
  if (missing)
    return new UsageError(`--${missing.name} needs a value: --${missing.name} ${missing.value}.`, remedy)
  const short = words.find((word) => /^-[^-]/.test(word))
  return new UsageError(
    short ? `There is no option ${shown(short)}.` : 'These options cannot be read.',
    remedy,
  )
}

function place(command: Command, words: readonly string[]): Call['arguments'] {
  const { name, arguments: wanted } = command
  const remedy = `See bardo ${name} --help.`
  const placed = wanted.map((argument, at): [string, string | undefined] => {
    const word = argument.isRest ? words.slice(at).join(' ') || undefined : words[at]
    if (word === undefined && !argument.isOptional)
      throw new UsageError(`bardo ${name} needs ${argument.name}: ${argument.summary}.`, remedy)
    if (word !== undefined) requireChoice(argument, word)
    return [argument.name, word]
  })
  const beyond = wanted.some(({ isRest }) => isRest) ? undefined : words[wanted.length]
  if (beyond !== undefined) throw new UsageError(`"${shown(beyond)}" is one word too many.`, remedy)
  return Object.fromEntries(placed)
}

function requireChoice({ name, choices }: Argument, word: string): void {
  if (!choices || choices.includes(word)) return
  const nearest = nearestName(word, choices)
  const remedy = nearest ? `Did you mean "${nearest}"?` : `There are: ${choices.join(', ')}.`
  throw new UsageError(`${name} cannot be "${shown(word)}".`, remedy)
}
