#!/usr/bin/env node
import { errorCodes } from '@bardo/core'
import { command } from './command.ts'
import { errorLine } from './errorLine.ts'

// The local chain ends with this process, whoever ends it.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => process.exit(process.exitCode ?? code))
// Whoever read along has gone: `npm run demo | head`.
process.stdout.once('error', () => process.exit(141))

try {
  process.exitCode = await command(process.argv.slice(2))
} catch (error) {
  const { code, line } = errorLine(error)
  console.error(line)
  // At once: what else was being opened is not waited for.
  process.exit(errorCodes[code].exit)
}
