import { readFileSync, statSync } from 'node:fs'
import { BardoError } from '@bardo/core'
import { shown } from '../terminal/shown.ts'

/** The strategy compiler's limit. */
const mostBytes = 4_194_304

/** Reads a text file that the user named. */
export function readText(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw unreadable(file, `the file is larger than ${mostBytes} bytes`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof BardoError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw unreadable(file, code === 'ENOENT' ? 'the file does not exist' : 'the file is not readable')
  }
}

function unreadable(file: string, why: string): BardoError {
  return new BardoError('Cannot read the file.', {
    code: 'INVALID_INPUT',
    details: [shown(file, 200), why],
  })
}
