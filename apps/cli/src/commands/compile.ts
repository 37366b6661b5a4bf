import { type CompiledStrategy, compileStrategy } from '@bardo/core'
import { compiledJson } from '../office/compiledJson.ts'
import type { Answer } from '../office/office.ts'
import type { Run } from '../shell/command.ts'
import type { Terminal } from '../shell/terminal.ts'
import { wrapText } from '../shell/wrapText.ts'
import { askOffice } from './askOffice.ts'
import { changeText } from './changeText.ts'
import { readText } from './readText.ts'
import { textOption } from './words.ts'

/** What {@link compiledText} shows. */
type Compiled = Answer<'compile'>

/** `bardo compile`. Without a Golem it needs neither a chain nor a folder. */
export const compile: Run = async (call) => {
  const strategy = readText(call.arguments['STRATEGY'] ?? '')
  const golem = textOption(call, 'golem')
  const compiled =
    golem === undefined ? alone(strategy) : await askOffice(call, 'compile', { strategy, golem })
  return { data: compiled, text: compiledText(compiled, call.terminal), exit: compiled.grants ? 0 : 1 }
}

function alone(strategy: string): Compiled {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const compiled: CompiledStrategy = compileStrategy(strategy, { now })
  return { ...compiledJson(compiled), bounds: null, against: null, changes: [] }
}

/** A compiled strategy for people: every permission, the sentence that asked for it, and all that is unclear. */
export function compiledText(compiled: Compiled, { stress, width }: Terminal): string {
  const { permissions, bounds, questions, changes, against, notGranted } = compiled
  const indented = (text: string, by: number) =>
    wrapText(text, width - by)
      .map((line) => `${' '.repeat(by)}${line}`)
      .join('\n')
  const lines = permissions.flatMap(({ sentence, because }) => [
    indented(sentence, 2),
    ...because
      .slice(0, 2)
      .map(({ line, sentence: text }) => stress('dim', indented(`line ${line}: “${text}”`, 6))),
  ])
  return [
    ...(compiled.grants
      ? [
          stress('bold', 'What you would sign:'),
          ...(bounds ? bounds.map((sentence) => indented(sentence, 2)) : []),
          ...(bounds ? [stress('bold', 'What it holds itself to, and the chain does not check:')] : []),
          ...lines,
        ]
      : ['The strategy asks for nothing that can be granted.']),
    ...notGranted.map(({ capability, status }) => `  Not granted: ${capability} (${status}).`),
    ...(questions.length > 0
      ? [
          '',
          stress('yellow', 'Unclear, and not granted or taken at its narrowest:'),
          ...questions.map(({ line, question }) => indented(`line ${line}: ${question}`, 2)),
        ]
      : []),
    ...(against
      ? [
          '',
          stress('bold', `Against what ${against.name} has now:`),
          ...(changes.length === 0
            ? ['  nothing changes']
            : changes.map((change) => {
                const colour = change.direction === 'narrower' ? 'green' : 'yellow'
                return `  ${stress(colour, change.direction.padEnd(8))}  ${changeText(change)}`
              })),
        ]
      : []),
  ].join('\n')
}
