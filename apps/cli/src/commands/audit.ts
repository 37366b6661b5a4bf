import { isHash } from 'viem'
import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { CommandInput, CommandResult, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { textOption } from './words.ts'

/** `bardo audit`. Exit code 1 if the audit log is broken. */
export const audit: Run = (call) => (call.arguments['WHAT'] === 'export' ? exportAll(call) : verify(call))

async function verify(call: CommandInput): Promise<CommandResult> {
  const golem = textOption(call, 'golem')
  const anchor = anchorOption(call)
  const report = await askOffice(call, 'auditVerify', {
    ...(golem !== undefined && { golem }),
    ...(anchor && { anchor }),
  })
  if (report.type === 'intact')
    return {
      data: report,
      text: `The audit log is intact: ${report.events} events.\nhead ${report.head.sequence}:${report.head.hash}`,
    }
  if (report.type === 'ledgerBroken')
    return {
      data: report,
      text: `The ledger of ${report.golem} does not match the audit log at transaction ${report.number}: ${report.why}.`,
      exit: 1,
    }
  return {
    data: report,
    text: `The audit log is broken at event ${report.sequence}: ${report.why}.`,
    exit: 1,
  }
}

/** Prints the audit log as JSON lines, with or without --json. */
async function exportAll(call: CommandInput): Promise<undefined> {
  const golem = textOption(call, 'golem')
  await using office = await openOffice(readSettings(call))
  await office.ask(
    'auditExport',
    { ...(golem !== undefined && { golem }) },
    { tell: (line) => call.terminal.write(`${line}`), signal: call.signal },
  )
  return undefined
}

function anchorOption(call: CommandInput) {
  const text = textOption(call, 'anchor')
  if (text === undefined) return undefined
  const [, sequence, hash] = /^(\d{1,15}):(0x[0-9a-f]{64})$/i.exec(text) ?? []
  if (sequence !== undefined && hash !== undefined && isHash(hash))
    return { sequence: Number(sequence), hash }
  throw new UsageError(
    '--anchor takes SEQUENCE:HASH, as bardo audit verify prints it.',
    'Example: --anchor 120:0x….',
  )
}
