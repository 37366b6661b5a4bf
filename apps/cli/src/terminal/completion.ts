import { type Command, commonOptions } from './command.ts'

/** A shell that can complete. */
export type Shell = 'bash' | 'zsh' | 'fish'

/** The completion script of a shell: completes commands, options, choices, files, and names of Golems. */
export function completionFor(shell: Shell, catalog: readonly Command[]): string {
  return { bash, zsh, fish }[shell](catalog)
}

const names = (catalog: readonly Command[]) => catalog.map(({ name }) => name).join(' ')

function optionsOf({ options }: Command): string {
  return [...options, ...commonOptions].map(({ name }) => `--${name}`).join(' ')
}

/** What a command's arguments can be: a list of choices, names of Golems, or files. */
function wordsOf({ arguments: wanted }: Command): {
  readonly choices: string
  readonly golems: boolean
  readonly files: boolean
} {
  return {
    choices: wanted.flatMap(({ choices = [] }) => choices).join(' '),
    golems: wanted.some(({ completes }) => completes === 'golem'),
    files: wanted.some(({ completes }) => completes === 'file'),
  }
}

function valuesOf(command: Command, completes: 'golem' | 'file'): readonly string[] {
  return [...command.options, ...commonOptions]
    .filter((option) => option.completes === completes)
    .map(({ name }) => `--${name}`)
}

function bash(catalog: readonly Command[]): string {
  const cases = catalog.map((command) => {
    const { choices, golems, files } = wordsOf(command)
    return `    ${command.name}) options="${optionsOf(command)}"; words="${choices}"; golems=${golems ? 1 : 0}; files=${files ? 1 : 0} ;;`
  })
  const golemOptions = [...new Set(catalog.flatMap((command) => valuesOf(command, 'golem')))].join('|')
  const fileOptions = [...new Set(catalog.flatMap((command) => valuesOf(command, 'file')))].join('|')
  return `_bardo() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options="" words="" golems=0 files=0
  local IFS=$' \\t\\n'
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names(catalog)} help --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$before" in
    ${golemOptions}) options=""; words=""; golems=1; files=0 ;;
    ${fileOptions}) options=""; words=""; golems=0; files=1 ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")); return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ "$golems" -eq 1 ]; then
    local IFS=$'\\n' name
    for name in $(bardo completion golems 2>/dev/null); do
      case "$name" in "$word"*) COMPREPLY+=("$(printf '%q' "$name")") ;; esac
    done
  fi
  if [ "$files" -eq 1 ]; then
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -F _bardo bardo`
}

/** zsh runs the bash script through bashcompinit. */
function zsh(catalog: readonly Command[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(catalog)}`
}

function fish(catalog: readonly Command[]): string {
  const text = (words: string) => words.replaceAll("'", "\\\\'")
  const isFirst = '__fish_use_subcommand'
  return [
    'complete -c bardo -f',
    ...catalog.map(({ name, summary }) => `complete -c bardo -n ${isFirst} -a ${name} -d '${text(summary)}'`),
    ...catalog.flatMap((command) => {
      const when = `-n '__fish_seen_subcommand_from ${command.name}'`
      const { choices, golems, files } = wordsOf(command)
      return [
        ...[...command.options, ...commonOptions].map(({ name, value, summary, completes }) => {
          const takes =
            completes === 'golem'
              ? " -x -a '(bardo completion golems 2>/dev/null)'"
              : completes === 'file'
                ? ' -r -F'
                : value
                  ? ' -x'
                  : ''
          return `complete -c bardo ${when} -l ${name}${takes} -d '${text(summary)}'`
        }),
        ...(choices === '' ? [] : [`complete -c bardo ${when} -a '${choices}'`]),
        ...(golems ? [`complete -c bardo ${when} -a '(bardo completion golems 2>/dev/null)'`] : []),
        ...(files ? [`complete -c bardo ${when} -F`] : []),
      ]
    }),
  ].join('\n')
}
