import { printable } from './printable.ts'

/** User input for a message: without control characters, and cut to fit a line. */
export function shown(word: string, most = 40): string {
  const clean = printable(word)
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean
}
