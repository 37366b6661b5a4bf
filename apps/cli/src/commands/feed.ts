import { formatMinute } from '@bardo/core'
import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { Run } from '../terminal/command.ts'
import { childrenText } from '../text/childrenText.ts'
import { confirmChildren } from './confirmChildren.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

/** `bardo feed`. */
export const feed: Run = async (call) => {
  await using office = await openOffice(readSettings(call))
  await confirmChildren(call, office)
  const fed = await office.ask(
    'regrant',
    { ...golemArgument(call), ...ownerKeyOption(call) },
    { note: (text) => call.terminal.progress(text), signal: call.signal },
  )
  const until = formatMinute(fed.endsAt)
  return {
    data: fed,
    text: [
      `${fed.name} is renewed until ${until} UTC. Today’s spending still counts.`,
      ...(fed.endedChildren.length > 0 ? [childrenText(fed.endedChildren, 'after')] : []),
    ].join('\n'),
  }
}
