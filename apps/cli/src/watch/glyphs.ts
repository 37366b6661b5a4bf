import { asciiText } from '../terminal/asciiText.ts'

/** The characters for lines, bars and marks. */
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
  /** A text in the characters that the terminal can show. */
  shape(text: string): string
}

/** For UTF-8 terminals. */
export const unicode: Glyphs = {
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

/** For ASCII terminals. */
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
