/** Generates the commands in docs/cli.md from the catalog. Run directly, it writes them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../apps/cli/src/commands/catalog.ts'
import { type Command, groups } from '../apps/cli/src/terminal/command.ts'
import { writeBlock } from './markedBlock.ts'

const file = join(import.meta.dirname, '../docs/cli.md')

/** The page as it is, and as it must be. */
export function cliPage(): { readonly text: string; readonly expected: string | undefined } {
  const text = readFileSync(file, 'utf8')
  const commands = groups.flatMap((group) => [
    `### ${group}`,
    ...catalog.filter((command) => command.group === group).map(entry),
  ])
  return { text, expected: writeBlock(text, 'commands', commands.join('\n\n')) }
}

function entry({ name, summary, details, arguments: parameters, options, examples }: Command): string {
  const words = parameters.map(({ name: word, isOptional, isRest }) => {
    const shown = isRest ? `${word}…` : word
    return isOptional ? `[${shown}]` : shown
  })
  return [
    `#### bardo ${name}`,
    '',
    `\`bardo ${[name, ...words].join(' ')}\`: ${summary}.`,
    ...details.flatMap((paragraph) => ['', paragraph]),
    ...(options.length > 0
      ? [
          '',
          ...options.map(
            ({ name: option, value, summary: what }) =>
              `- \`--${option}${value ? ` ${value}` : ''}\`: ${what}`,
          ),
        ]
      : []),
    '',
    '```sh',
    ...examples,
    '```',
  ].join('\n')
}

if (import.meta.main) {
  const { expected } = cliPage()
  if (expected === undefined) throw new Error('docs/cli.md has no block for the commands')
  writeFileSync(file, expected)
}
