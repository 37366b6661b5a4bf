import { asciiText } from '../shell/asciiText.ts'

/** What lines, bars and marks are drawn with. */
export type Glyphs = {
  /** From empty to full. */
  readonly steps: readonly string[]
  readonly full: string
  readonly empty: string
  readonly chosen: string
  readonly dot: string
  readonly mark: string
  readonly cursor: string
  readonly cut: string
  readonly arrows: string
  readonly yes: string
  readonly no: string
  readonly frame: {
    readonly top: readonly [left: string, right: string]
    readonly bottom: readonly [left: string, right: string]
    readonly across: string
    readonly down: string
  }
  /** A text in the letters that the terminal has. */
  shape(text: string): string
}

/** For terminals that have them. */
export const drawn: Glyphs = {
  steps: [...'▁▂▃▄▅▆▇█'],
  full: '█',
  empty: '░',
  chosen: '▸',
  dot: '●',
  mark: '◆',
  cursor: '▏',
  cut: '…',
  arrows: '↑↓',
  yes: '✓',
  no: '✗',
  frame: { top: ['╭', '╮'], bottom: ['╰', '╯'], across: '─', down: '│' },
  shape: (text) => text,
}

/** For those that have only the oldest letters. */
export const ascii: Glyphs = {
  steps: [...'_.-~=+*#'],
  full: '#',
  empty: '.',
  chosen: '>',
  dot: '*',
  mark: '*',
  cursor: '_',
  cut: '~',
  arrows: 'j/k',
  yes: 'ok',
  no: 'x',
  frame: { top: ['+', '+'], bottom: ['+', '+'], across: '-', down: '|' },
  shape: asciiText,
}
