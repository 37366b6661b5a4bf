import { wrapText } from './wrapText.ts'

/** Wraps the lines of a tree drawing. Continuation lines are indented to their text and keep the vertical lines. */
export function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [lead = ''] = /^[\s│├└─╴✓✗→]*/u.exec(line) ?? []
      const hanging = lead.replace(/[├]/gu, '│').replace(/[^│\s]/gu, ' ')
      const [first = '', ...more] = wrapText(line.slice(lead.length), Math.max(20, width - lead.length))
      return [`${lead}${first}`, ...more.map((rest) => `${hanging}${rest}`)]
    })
    .join('\n')
}
