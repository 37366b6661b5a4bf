import { BardoError } from '@bardo/core'

/** Any error as a BardoError. Of another error, only the first line is kept. */
export function knownError(error: unknown): BardoError {
  return error instanceof BardoError ? error : new BardoError(wordsOf(error), { code: 'INTERNAL' })
}

/** An error in one line, with its code. */
export function errorLine(error: unknown): string {
  const { code, shortMessage, details, remedy = '' } = knownError(error)
  const words = [shortMessage, ...details, remedy].join(' ').replace(/\s+/g, ' ').trim()
  return `${code}: ${words}`
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : `${error}`
}
