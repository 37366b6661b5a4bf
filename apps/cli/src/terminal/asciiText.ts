const plain: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '…': '...',
  '→': '->',
  '✓': 'ok',
  '✗': 'x',
  '–': '-',
  '—': '-',
  '×': 'x',
  '≤': '<=',
  '≥': '>=',
  '·': '-',
  '─': '-',
  '│': '|',
  '├': '|',
  '└': '`',
  '●': '*',
  '•': '*',
  '○': 'o',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const colourOrLetter = /\u001b\[[\d;]+m|[^\n\t\x20-\x7e]/gu

/** A text for terminals that show only ASCII. Colour codes stay. */
export function asciiText(text: string): string {
  return text.replace(colourOrLetter, (match) => (match.length > 2 ? match : (plain[match] ?? '?')))
}
