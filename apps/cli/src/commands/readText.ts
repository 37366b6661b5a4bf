import { readFileSync, statSync } from 'node:fs'
import { BardoError } from '@bardo/core'
import { shown } from '../shell/shown.ts'

/** Origin: the compiler reads no more. */
const mostBytes = 4_194_304

/** A text file that somebody named. */
export function readText(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw unreadable(file, `it is larger than ${mostBytes} bytes`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof BardoError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw unreadable(file, code === 'ENOENT' ? 'there is no such file' : 'it cannot be read')
  }
}

function unreadable(file: string, why: string): BardoError {
  return new BardoError('The file cannot be read.', {
    code: 'INVALID_INPUT',
    details: [shown(file, 200), why],
  })
}
