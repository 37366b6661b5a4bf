import { printable } from './printable.ts'

/** What somebody typed, without signs that a terminal obeys, cut to what fits into a line. */
export function shown(word: string, most = 40): string {
  const clean = printable(word)
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean
}
