import { BardoError, type ErrorCode } from '@bardo/core'

/** An error in one line, with the code that it ends a process by. */
export function errorLine(error: unknown): { readonly code: ErrorCode; readonly line: string } {
  const known = error instanceof BardoError ? error : new BardoError(wordsOf(error), { code: 'INTERNAL' })
  const { code, shortMessage, details, remedy = '' } = known
  const words = [shortMessage, ...details, remedy].join(' ').replace(/\s+/g, ' ').trim()
  return { code, line: `${code}: ${words}` }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : `${error}`
}
