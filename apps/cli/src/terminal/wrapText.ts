import { stripVTControlCharacters } from 'node:util'

/** Wraps a text at spaces into lines of at most `width` columns. A longer word gets its own line. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function columnsOf(text: string): number {
  return stripVTControlCharacters(text).length
}
