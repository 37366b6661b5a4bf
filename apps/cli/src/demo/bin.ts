#!/usr/bin/env node
import { BardoError, errorCodes } from '@bardo/core'
import { command } from './command.ts'

// The local chain ends with this process, whoever ends it.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => process.exit(process.exitCode ?? code))

try {
  process.exitCode = await command(process.argv.slice(2))
} catch (error) {
  const { code, shortMessage, details, remedy } =
    error instanceof BardoError ? error : new BardoError(wordsOf(error), { code: 'INTERNAL' })
  const words = [shortMessage, ...details, remedy].filter((part) => part !== undefined && part !== '')
  console.error(`${code}: ${words.join(' ').replace(/\s+/g, ' ')}`)
  process.exitCode = errorCodes[code].exit
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : `${error}`
}
