import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { Run } from '../terminal/command.ts'
import { childrenText } from '../text/childrenText.ts'
import { confirmChildren } from './confirmChildren.ts'
import { golemArgument, ownerKeyOption } from './words.ts'

/** `bardo rotate`. */
export const rotate: Run = async (call) => {
  const isSuspected = call.options['suspected'] === true
  await using office = await openOffice(readSettings(call))
  // An ordinary rotation keeps the root delegation, and with it the children.
  if (isSuspected) await confirmChildren(call, office)
  const done = await office.ask(
    'rotate',
    { ...golemArgument(call), isSuspected, ...ownerKeyOption(call) },
    { note: (text) => call.terminal.progress(text), signal: call.signal },
  )
  const [waits] = done.waiting
  return {
    data: done,
    text: [
      done.isRotated
        ? `${done.name} now acts with the key ${done.after}. The old key ${done.before} is wiped.`
        : `${done.name} waits for your signature for its new key: bardo requests ${waits ?? ''} yes`,
      ...(done.endedChildren.length > 0 ? [childrenText(done.endedChildren, 'after')] : []),
    ].join('\n'),
  }
}
