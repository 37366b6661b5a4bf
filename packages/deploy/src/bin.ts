#!/usr/bin/env node
import { BardoError, errorCodes } from '@bardo/core'
import { command } from './command.ts'

try {
  await command(process.argv.slice(2), process.env)
} catch (error) {
  if (!(error instanceof BardoError)) throw error
  console.error(error.message)
  process.exitCode = errorCodes[error.code].exit
}
