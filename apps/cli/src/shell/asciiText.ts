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

/** A text for terminals that know no other letters than the oldest ones. Colours stay: they are no letters. */
export function asciiText(text: string): string {
  return text.replace(colourOrLetter, (found) => (found.length > 2 ? found : (plain[found] ?? '?')))
}
