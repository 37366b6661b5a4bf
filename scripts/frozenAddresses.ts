import { createHash } from 'node:crypto'

/** A page of docs/decisions: its file name and its text. */
export type DecisionPage = { readonly name: string; readonly text: string }

/**
 * Why the addresses of docs/deployment.md are not accepted; undefined if a decision page states them. Owners
 * have signed for these addresses, so a change of bytecode needs a written reason.
 */
export function undecided(page: string, decisions: readonly DecisionPage[]): string | undefined {
  const line = decisionLine(page)
  if (decisions.some(({ text }) => text.split('\n').includes(line))) return undefined
  return [
    'The addresses in docs/deployment.md changed, and no page in docs/decisions explains it.',
    'Restore the bytecode, or write a page with the reason and this line:',
    line,
  ].join('\n')
}

/** The line with which a decision page states the addresses of docs/deployment.md. */
export function decisionLine(page: string): string {
  const rows = page.match(/^\| \w+ \| `0x[0-9a-fA-F]{40}` \| .* \|$/gm) ?? []
  const hash = createHash('sha256').update(rows.toSorted().join('\n')).digest('hex').slice(0, 16)
  return `Addresses: ${rows.length} rows, \`${hash}\`.`
}
