import { formatDollars } from '@bardo/core'
import { z } from 'zod'
import { readSettings } from '../context/settings.ts'
import type { LogEntry } from '../rpc/handlers/log.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { golemArgument, numberOption, textOption } from './words.ts'

/** `bardo log`. */
export const log: Run = async (call) => {
  const { terminal, signal } = call
  const since = sinceOption(call)
  const question = {
    ...golemArgument(call),
    limit: numberOption(call, 'limit', { least: 1, most: 1_000, otherwise: 20 }),
    ...(since !== undefined && { since }),
  }
  await using office = await openOffice(readSettings(call))
  if (call.options['follow'] === true) {
    const tell = (part: unknown) => {
      const entry = logEntry.parse(part)
      if (terminal.isJson) terminal.printJson(entry)
      else terminal.print(entryText(entry, call))
    }
    await office.ask('log', { ...question, follow: true }, { tell, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    return undefined
  }
  const entries = await office.ask('log', question)
  const text = entries.map((entry) => entryText(entry, call)).join('\n')
  return { data: entries, text: text === '' ? 'Nothing has happened in this time.' : text }
}

const logEntry = z.object({
  sequence: z.number(),
  at: z.string(),
  golem: z.string(),
  name: z.string(),
  event: z.string(),
  sentence: z.string(),
  action: z.string().nullable(),
  cents: z.string().nullable(),
  transaction: z.string().nullable(),
  code: z.string().nullable(),
  remedy: z.string().nullable(),
  signed: z.array(z.object({ line: z.number(), sentence: z.string() })),
})

/** An entry as lines. Ids and hashes stand whole, each at the end of a line, so that they can be copied. */
function entryText(entry: LogEntry, { terminal: { stress } }: Pick<CommandInput, 'terminal'>): string {
  const { at, name, event, action, cents, transaction, code, remedy, signed } = entry
  const isRefusal = code !== null
  const money = cents === null ? '' : ` for ${formatDollars(cents)}`
  const sentence =
    event === 'action.landed'
      ? `completed: ${action ?? 'an action'}${money}.`
      : event === 'action.intended'
        ? `plans to ${action ?? 'act'}${money}; its outcome is not known yet.`
        : `${entry.sentence}${isRefusal && action !== null ? ` (${action}${money})` : ''}`
  const colour = event === 'action.landed' ? 'green' : isRefusal ? 'yellow' : undefined
  return [
    `${stress('dim', `${at.slice(0, 10)} ${at.slice(11, 19)}`)}  ${stress('bold', name)} ${colour ? stress(colour, sentence) : sentence}`,
    ...(event === 'action.landed' && transaction !== null ? [`  transaction ${transaction}`] : []),
    ...signed.map((one) => stress('dim', `  you signed, line ${one.line}: “${one.sentence}”`)),
    ...(remedy === null ? [] : [`  ${remedy}`]),
  ].join('\n')
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** A duration before now, such as 2h, or a date or time in ISO form. Milliseconds since 1970. */
function sinceOption(call: CommandInput): number | undefined {
  const text = textOption(call, 'since')
  if (text === undefined) return undefined
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (number !== undefined) return Math.max(0, Date.now() - Number(number) * (units[unit] ?? 1) * 1_000)
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return Math.max(0, at)
  throw new UsageError('--since takes a duration or an ISO time.', 'Examples: --since 2h, --since 2026-11-18')
}
