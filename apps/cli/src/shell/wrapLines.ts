import { wrapText } from './wrapText.ts'

/** Breaks long lines of a drawn text; what is broken off stands under the text of its line, and lines that go down go on. */
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
