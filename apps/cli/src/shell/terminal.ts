import { styleText } from 'node:util'
import { asciiText } from './asciiText.ts'
import { plainJson } from './plainJson.ts'

/** How something is stressed. */
type Stress = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Where a command talks to: results go to standard output, all else to standard error. */
export type Terminal = {
  /** For programs: nothing but JSON goes to standard output. */
  readonly isJson: boolean
  /** Somebody can be asked. */
  readonly isInteractive: boolean
  /** Characters in a line. */
  readonly width: number
  /** A result, as a line or several. */
  print(text: string): void
  /** A result as one line of JSON. */
  printJson(value: unknown): void
  /** A part of a result, as it is. */
  write(text: string): void
  /** What is being done now; on a screen the next one takes its place. */
  progress(text: string): void
  /** Something worth a line of its own that is no result. */
  note(text: string): void
  stress(how: Stress, text: string): string
}

/** What of a process decides how it is talked to. */
export type TerminalParts = {
  readonly stdin: { readonly isTTY?: boolean }
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  readonly env: NodeJS.ProcessEnv
  readonly isJson?: boolean
  readonly isPlain?: boolean
}

/** No line is longer, however wide the screen is: a long one is hard to read. */
const mostColumns = 100

/** The terminal of a process. Colour and drawn characters give way where they would not be shown, or are not wanted. */
export function createTerminal({ stdin, stdout, stderr, env, isJson, isPlain }: TerminalParts): Terminal {
  const isDumb = isPlain === true || env['TERM'] === 'dumb'
  const hasColour = (stream: { readonly isTTY?: boolean }) =>
    !isDumb && !env['NO_COLOR'] && (stream.isTTY === true || isForced(env))
  // Written out, some letters take three columns.
  const spare = isDumb || !isUnicode(env) ? 4 : 0
  const shape = isDumb || !isUnicode(env) ? asciiText : (text: string) => text
  const writesOver = stderr.isTTY === true && !isDumb
  let isOpen = false

  const endLine = () => {
    if (isOpen) stderr.write('\r\u001b[2K')
    isOpen = false
  }
  const line = (stream: { write(text: string): unknown }, text: string) => {
    endLine()
    stream.write(`${shape(text)}\n`)
  }

  return {
    isJson: isJson === true,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true && !isJson,
    width: Math.min(stdout.columns ?? 80, mostColumns) - spare,
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

function isForced({ FORCE_COLOR }: NodeJS.ProcessEnv): boolean {
  return FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
}

/** Whether the locale has more than the oldest letters. A locale that nobody set has, and one that names no set. */
export function isUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  if (!locale || /utf-?8/i.test(locale)) return true
  return locale !== 'C' && locale !== 'POSIX' && !locale.includes('.')
}
