import { styleText } from 'node:util'
import { asciiText } from '../terminal/asciiText.ts'
import { isUnicode } from '../terminal/terminal.ts'
import type { Listener, Step } from './story.ts'

/** The columns of a line: 80, minus one for a mark that takes two characters in ASCII. */
const width = 79

/** Prints the story on a terminal: 80 columns, with colours only if the terminal shows them. */
export function printer(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Listener {
  const isDumb = env['TERM'] === 'dumb'
  const isColoured = out.isTTY === true && !env['NO_COLOR'] && !isDumb
  const shape = isDumb || !isUnicode(env) ? asciiText : (text: string) => text
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text
  const say = (text = '') => out.write(`${shape(text)}\n`)
  const block = (indent: string, text: string, first = indent) => {
    for (const [index, line] of wrap(text, width - indent.length).entries())
      say(`${index === 0 ? first : indent}${line}`)
  }

  return {
    chapter(number, title, why) {
      say()
      say(paint('bold', `${number}. ${title}`))
      block('   ', why)
      say()
    },
    step(step) {
      const [mark, style] = step.refusal ? (['x', 'yellow'] as const) : (['•', 'green'] as const)
      block('     ', step.what, `   ${paint(style, mark)} `)
      if (step.refusal) {
        const { caveat, link, error, numbers, remedy } = step.refusal
        const where = link === undefined ? caveat : `${caveat} (link ${link})`
        block('     ', `Refused on the chain by ${where}: ${error}${listed(numbers)}`)
        if (remedy) block('       ', remedy, '     → ')
      }
      say(paint('dim', `     ${costOf(step)}`))
    },
    promise({ kept, what }) {
      const mark = kept ? paint('green', '✓') : paint('red', '✗ BROKEN:')
      block('     ', what, `   ${mark} `)
    },
    aside: (text) => {
      for (const line of text.split('\n')) say(line === '' ? '' : `   ${line}`)
    },
  }
}

function listed(numbers: readonly string[]): string {
  return numbers.length > 0 ? `(${numbers.join(', ')})` : ''
}

function costOf({ milliseconds, transaction, gas }: Step): string {
  const time = `${(milliseconds / 1_000).toFixed(1)} s`
  if (!transaction) return time
  return `${time}, ${gas?.toLocaleString('en') ?? '?'} gas, ${transaction.slice(0, 18)}…`
}

/** Wraps a text into lines of at most `columns` characters. A longer word gets its own line. */
function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.trim().split(/\s+/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
