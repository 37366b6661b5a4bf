import { isHash } from 'viem'
import { openOffice } from '../office/openOffice.ts'
import { readSettings } from '../place/settings.ts'
import type { Call, Run, Said } from '../shell/command.ts'
import { UsageError } from '../shell/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { textOption } from './words.ts'

/** `bardo audit`. A broken record ends with 1. */
export const audit: Run = (call) => (call.arguments['WHAT'] === 'export' ? exportAll(call) : verify(call))

async function verify(call: Call): Promise<Said> {
  const golem = textOption(call, 'golem')
  const anchor = anchorOption(call)
  const report = await askOffice(call, 'auditVerify', {
    ...(golem !== undefined && { golem }),
    ...(anchor && { anchor }),
  })
  if (report.is === 'intact')
    return {
      data: report,
      text: `${report.events} events, intact.\nhead ${report.head.sequence}:${report.head.hash}`,
    }
  return { data: report, text: `The record is broken at event ${report.sequence}: ${report.why}.`, exit: 1 }
}

/** The record as it is: lines of JSON, with or without --json. */
async function exportAll(call: Call): Promise<undefined> {
  const golem = textOption(call, 'golem')
  await using office = await openOffice(readSettings(call))
  await office.ask(
    'auditExport',
    { ...(golem !== undefined && { golem }) },
    { tell: (line) => call.terminal.write(`${line}`), signal: call.signal },
  )
  return undefined
}

function anchorOption(call: Call) {
  const text = textOption(call, 'anchor')
  if (text === undefined) return undefined
  const [, sequence, hash] = /^(\d{1,15}):(0x[0-9a-f]{64})$/i.exec(text) ?? []
  if (sequence !== undefined && hash !== undefined && isHash(hash))
    return { sequence: Number(sequence), hash }
  throw new UsageError('--anchor takes a head as verify prints it.', 'As in --anchor 120:0x….')
}
