#!/usr/bin/env node
import { errorCodes } from '@bardo/core'
import { command } from './command.ts'
import { errorLine, knownError } from './errorLine.ts'
import type { Story } from './story.ts'
import { failureToJson } from './toJson.ts'

// The local chain ends with this process, however it ends.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => process.exit(process.exitCode ?? code))
// The reader closed the pipe: `npm run demo | head`.
process.stdout.once('error', () => process.exit(141))

const args = process.argv.slice(2)
let story: Story | undefined
try {
  process.exitCode = await command(args, (begun) => {
    story = begun
  })
} catch (error) {
  console.error(errorLine(error))
  // Exit at once, without waiting for anything that is still opening.
  if (args.includes('--json'))
    process.stdout.write(`${failureToJson(knownError(error), story)}\n`, () => process.exit(1))
  else process.exit(errorCodes[knownError(error).code].exit)
}
