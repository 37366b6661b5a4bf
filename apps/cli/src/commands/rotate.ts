import { answeredResult } from '@bardo/operations'
import { readSettings } from '../context/settings.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { childrenText } from '../text/childrenText.ts'
import { askOffice } from './askOffice.ts'
import { confirmChildren } from './confirmChildren.ts'
import { signedElsewhere, toSign } from './signedElsewhere.ts'
import { golemArgument, ownerKeyOption, textOption } from './words.ts'

/** `bardo rotate`. */
export const rotate: Run = async (call) => {
  const continued = await signedElsewhere(call, rotatedText)
  if (continued) return continued
  const isSuspected = call.options['suspected'] === true
  if (call.options['print'] === true) {
    if (!isSuspected)
      throw new UsageError(
        '--print applies only to --suspected.',
        'An ordinary rotation needs no signature of the owner.',
      )
    const owner = textOption(call, 'owner')
    const whose = { ...golemArgument(call), ...ownerKeyOption(call), ...(owner !== undefined && { owner }) }
    return toSign(call, await askOffice(call, 'prepareRotate', whose))
  }
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

function rotatedText(result: unknown): string {
  const { name, isTaken } = answeredResult.parse(result)
  return isTaken
    ? `The suspected key of ${name} is revoked. It continues with its new key at its next tick.`
    : 'Not changed: the request for the new key was answered before.'
}
