import { styleText } from 'node:util'
import { asciiText } from './asciiText.ts'
import { plainJson } from './plainJson.ts'
import { wrapLines } from './wrapLines.ts'

/** A text style. */
type Stress = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** The output of a command: results go to standard output, everything else to standard error. */
export type Terminal = {
  /** With `--json`: only JSON goes to standard output. */
  readonly isJson: boolean
  /** Whether a person can answer prompts. */
  readonly isInteractive: boolean
  /** The number of columns. */
  readonly width: number
  /** Prints a result as one or more lines. */
  print(text: string): void
  /** Prints a result as one line of JSON. */
  printJson(value: unknown): void
  /** Writes a part of a result, unchanged. */
  write(text: string): void
  /** Shows the current step. On a screen, the next step replaces it. */
  progress(text: string): void
  /** Prints a line that is not part of the result. */
  note(text: string): void
  stress(how: Stress, text: string): string
}

/** The parts of a process that decide the output format. */
export type TerminalParts = {
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly env: NodeJS.ProcessEnv
  readonly isJson?: boolean
  readonly isPlain?: boolean
}

/** The longest line, even on a wider screen: longer lines are hard to read. */
const mostColumns = 100

/** The terminal of a process. Colours and non-ASCII characters are used only where the terminal can show them. */
export function createTerminal({ stdin, stdout, stderr, env, isJson, isPlain }: TerminalParts): Terminal {
  const isDumb = isPlain === true || env['TERM'] === 'dumb'
  const hasColour = (stream: { readonly isTTY?: boolean }) =>
    !isDumb && !env['NO_COLOR'] && (stream.isTTY === true || isForced(env))
  // As ASCII, some characters take three columns.
  const spare = isDumb || !isUnicode(env) ? 4 : 0
  const shape = isDumb || !isUnicode(env) ? asciiText : (text: string) => text
  const writesOver = stderr.isTTY === true && !isDumb
  let isOpen = false

  const endLine = () => {
    if (isOpen) stderr.write('\r\u001b[2K')
    isOpen = false
  }
  const width = Math.min(stdout.columns ?? 80, mostColumns) - spare
  const line = (stream: { readonly isTTY?: boolean; write(text: string): unknown }, text: string) => {
    endLine()
    // Wrap at spaces: a terminal breaks inside words. In a pipe, a line stays one line.
    stream.write(`${shape(stream.isTTY ? wrapProse(text, stdout.columns ?? 80) : text)}\n`)
  }

  return {
    isJson: isJson === true,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true && !isJson,
    width,
    print: (text) => line(stdout, text),
    printJson: (value) => {
      endLine()
      stdout.write(`${plainJson(value)}\n`)
    },
    write: (text) => {
      endLine()
      stdout.write(text)
    },
    progress(text) {
      if (isJson) return
      if (!writesOver) return line(stderr, text)
      const cut = text.slice(0, (stdout.columns ?? 80) - 1)
      stderr.write(`\r\u001b[2K${shape(cut)}`)
      isOpen = true
    },
    note: (text) => line(stderr, text),
    stress: (how, text) => (hasColour(stdout) ? styleText(how, text, { validateStream: false }) : text),
  }
}

/** Wraps long lines at spaces. A line with a long id stays whole, so that it can be copied. */
function wrapProse(text: string, width: number): string {
  const hasLongWord = (line: string) => line.split(' ').some((word) => word.length > width / 2)
  return text
    .split('\n')
    .map((line) => (hasLongWord(line) ? line : wrapLines(line, width)))
    .join('\n')
}

function isForced({ FORCE_COLOR }: NodeJS.ProcessEnv): boolean {
  return FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
}

/** Whether the locale is UTF-8. A locale that is not set, or that names no character set, counts as UTF-8. */
export function isUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  if (!locale || /utf-?8/i.test(locale)) return true
  return locale !== 'C' && locale !== 'POSIX' && !locale.includes('.')
}
