/** The commands of `bardo` in docs/cli.md, out of the catalog. Called by itself it writes them there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../apps/cli/src/shell/catalog.ts'
import { type Command, groups } from '../apps/cli/src/shell/command.ts'
import { writeBlock } from './markedBlock.ts'

const file = join(import.meta.dirname, '../docs/cli.md')

/** The page as it is, and as it should be. */
export function cliPage(): { readonly text: string; readonly wanted: string | undefined } {
  const text = readFileSync(file, 'utf8')
  const commands = groups.flatMap((group) => [
    `### ${group}`,
    ...catalog.filter((command) => command.group === group).map(entry),
  ])
  return { text, wanted: writeBlock(text, 'commands', commands.join('\n\n')) }
}

function entry({ name, summary, details, arguments: wanted, options, examples }: Command): string {
  const words = wanted.map(({ name: word, isOptional, isRest }) => {
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
  const { wanted } = cliPage()
  if (wanted === undefined) throw new Error('docs/cli.md has no part for the commands')
  writeFileSync(file, wanted)
}
