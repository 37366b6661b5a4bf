import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

/** A cell of a screen. Colours are terminal colour numbers; undefined is the default. */
export type Cell = {
  readonly text: string
  readonly colour: number | undefined
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isInverse: boolean
}

/** A process in a pseudo-terminal. */
export type PseudoTerminal = Disposable & {
  readonly pid: number
  type(text: string): void
  resize(columns: number, rows: number): void
  /** The text of the screen, one line per row. */
  lines(): readonly string[]
  cells(): readonly (readonly Cell[])[]
  /** Whether the alternate screen is shown, which full-screen programs use. */
  isAlternate(): boolean
  /** All bytes so far. */
  bytes(): string
  /** Waits for a screen that matches. */
  until(isIt: (screen: string) => boolean): Promise<string>
  readonly ended: Promise<{ readonly exit: number; readonly signal: number | undefined }>
}

/** The options of a process. */
export type PseudoOptions = {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Options for Node, before the program. */
  readonly node?: readonly string[]
  /** A program instead of `bardo`. */
  readonly program?: string
}

const binary = join(import.meta.dirname, '../../bin/bardo.js')

/** Starts `bardo` in a pseudo-terminal. */
export function startInTerminal(words: readonly string[], options: PseudoOptions = {}): PseudoTerminal {
  const { columns = 80, rows = 24, env = {}, cwd, node = [], program = binary } = options
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1_000 })
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...node, program, ...words], {
    cols: columns,
    rows,
    name: env['TERM'] ?? 'xterm-256color',
    env: { PATH, HOME, LANG: 'en_GB.UTF-8', TZ: 'UTC', DO_NOT_TRACK: '1', ...env },
    ...(cwd !== undefined && { cwd }),
  })
  let bytes = ''
  let isOver = false
  let waiting: (() => void)[] = []
  const wake = () => {
    const all = waiting
    waiting = []
    for (const one of all) one()
  }
  child.onData((data) => {
    bytes += data
    screen.write(data, wake)
  })
  // Answer the program's queries to the terminal.
  screen.onData((answer) => child.write(answer))
  const ended = new Promise<{ exit: number; signal: number | undefined }>((resolve) =>
    child.onExit(({ exitCode, signal }) => {
      isOver = true
      // Wait until the last bytes are on the screen.
      screen.write('', () => {
        wake()
        resolve({ exit: exitCode, signal })
      })
    }),
  )
  const lines = () => {
    const { active } = screen.buffer
    return Array.from(
      { length: screen.rows },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
    )
  }
  return {
    pid: child.pid,
    ended,
    lines,
    bytes: () => bytes,
    type: (text) => child.write(text),
    isAlternate: () => screen.buffer.active.type === 'alternate',
    resize(nextColumns, nextRows) {
      screen.resize(nextColumns, nextRows)
      child.resize(nextColumns, nextRows)
    },
    cells: () => {
      const { active } = screen.buffer
      return Array.from({ length: screen.rows }, (_, row) => {
        const line = active.getLine(active.viewportY + row)
        return Array.from({ length: screen.cols }, (_, column): Cell => {
          const cell = line?.getCell(column)
          return {
            text: cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' '),
            colour: cell && !cell.isFgDefault() ? cell.getFgColor() : undefined,
            isBold: Boolean(cell?.isBold()),
            isDim: Boolean(cell?.isDim()),
            isInverse: Boolean(cell?.isInverse()),
          }
        })
      })
    },
    async until(isIt) {
      for (;;) {
        const text = lines().join('\n')
        if (isIt(text)) return text
        if (isOver) throw new Error(`The process has ended. Its screen:\n${text}`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    [Symbol.dispose]() {
      if (!isOver) child.kill('SIGKILL')
      screen.dispose()
    },
  }
}
