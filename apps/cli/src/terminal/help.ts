import { type Command, commonOptions, groups, type Option } from './command.ts'
import { wrapText } from './wrapText.ts'

const width = 80

/** The list of all commands, by group. */
export function overview(catalog: readonly Command[]): string {
  const lines = groups.flatMap((group) => [
    '',
    group,
    ...twoColumns(
      catalog.filter((command) => command.group === group).map(({ name, summary }) => [name, summary]),
      14,
    ),
  ])
  return [
    'bardo: bounded authority for autonomous on-chain agents',
    '',
    'Usage: bardo COMMAND [options]',
    ...lines,
    '',
    'bardo COMMAND --help describes one command. Every command takes --json.',
    'New here? Run bardo up: it starts a local chain with a Golem that trades on it.',
  ].join('\n')
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, summary, details, arguments: wanted, options, examples } = command
  const words = wanted.map(({ name: word, isOptional, isRest }) => {
    const shown = isRest ? `${word}…` : word
    return isOptional ? `[${shown}]` : shown
  })
  const section = (title: string, lines: readonly string[]) => (lines.length > 0 ? ['', title, ...lines] : [])
  return [
    `bardo ${name}: ${summary}`,
    '',
    `Usage: bardo ${[name, ...words, '[options]'].join(' ')}`,
    ...details.flatMap((paragraph) => ['', ...wrapText(paragraph, width)]),
    ...section(
      'Arguments',
      twoColumns(
        wanted.map(({ name: word, summary: what, choices }) => [
          word,
          choices ? `${what}: ${choices.join(', ')}` : what,
        ]),
        16,
      ),
    ),
    ...section('Options', twoColumns(options.map(optionLine), 24)),
    ...section('Common options', twoColumns(commonOptions.map(optionLine), 24)),
    ...section(
      'Examples',
      examples.map((example) => `  ${example}`),
    ),
  ].join('\n')
}

function optionLine({ name, value, summary }: Option): readonly [string, string] {
  return [value ? `--${name} ${value}` : `--${name}`, summary]
}

/** Names on the left, descriptions on the right. A name that is too long gets its own line. */
function twoColumns(rows: readonly (readonly [string, string])[], left: number): readonly string[] {
  return rows.flatMap(([name, what]) => {
    const [first = '', ...more] = wrapText(what, width - left - 2)
    const rest = more.map((line) => `${' '.repeat(left + 2)}${line}`)
    const label = `  ${name}`
    return label.length > left + 1
      ? [label, `${' '.repeat(left + 2)}${first}`, ...rest]
      : [`${label.padEnd(left + 2)}${first}`, ...rest]
  })
}
