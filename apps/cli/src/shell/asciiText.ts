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
  '○': 'o',
}

/** A text for terminals that know no other letters than the oldest ones. */
export function asciiText(text: string): string {
  return text.replace(/[^\n\t\x20-\x7e]/gu, (letter) => plain[letter] ?? '?')
}
