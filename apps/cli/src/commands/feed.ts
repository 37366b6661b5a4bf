import { formatMinute } from '@bardo/core'
import { regrantedResult } from '@bardo/operations'
import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { childrenText } from '../text/childrenText.ts'
import { confirmChildren } from './confirmChildren.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { golemArgument, ownerKeyOption, textOption } from './words.ts'

/** `bardo feed`. */
export const feed: Run = async (call) => {
  const continued = await signedElsewhere(call, fedText)
  if (continued) return continued
  if (call.options['print'] === true)
    return printed(call, 'feed', { ...golemArgument(call), ...feedOptions(call) })
  await using office = await openOffice(readSettings(call))
  await confirmChildren(call, office)
  const fed = await office.ask(
    'regrant',
    { ...golemArgument(call), ...ownerKeyOption(call), ...feedOptions(call) },
    { note: (text) => call.terminal.progress(text), signal: call.signal },
  )
  return { data: fed, text: fedText(fed) }
}

function fedText(result: unknown): string {
  const { name, endsAt, endedChildren, resetFrom } = regrantedResult.parse(result)
  return [
    `${name} is renewed until ${formatMinute(endsAt)} UTC. Today’s spending still counts.`,
    ...(resetFrom === null ? [] : [`Its phase is moved back from ${resetFrom} to thriving.`]),
    ...(endedChildren.length > 0 ? [childrenText(endedChildren, 'after')] : []),
  ].join('\n')
}

/** The new lifespan, which stays as long as it was by default, and whether the phase stays. */
function feedOptions(call: CommandInput): { readonly days?: number; readonly keepPhase?: boolean } {
  const phase = call.options['keep-phase'] === true ? { keepPhase: true } : {}
  const text = textOption(call, 'days')
  if (text === undefined) return phase
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 365)
    throw new UsageError(
      `--days needs a whole number from 1 to 365; got ${text}.`,
      'Example: bardo feed GOLEM --days 30',
    )
  return { ...phase, days: Number(text) }
}
