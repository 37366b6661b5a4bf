import { styleText } from 'node:util'
import { asciiText } from '../shell/asciiText.ts'
import { isUnicode } from '../shell/terminal.ts'
import type { Listener, Step } from './story.ts'

/** Where a line of a plain terminal ends; one column stays for a mark that takes two letters. */
const width = 79

/** Tells a story on a terminal: plain words, 80 columns, colour only where somebody can see it. */
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
        const where = link === undefined ? caveat : `${caveat} of link ${link}`
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

/** Words in lines of at most so many characters; a word that is longer has a line of its own. */
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
