import { formatDollars } from '@bardo/core'
import { regrantedResult } from '@bardo/operations'
import { readSettings } from '../context/settings.ts'
import type { Answer } from '../rpc/office.ts'
import { openOffice } from '../rpc/openOffice.ts'
import { unmanagedText } from '../rpc/positionText.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { childrenText } from '../text/childrenText.ts'
import { readText } from '../text/readText.ts'
import { answered } from './answered.ts'
import { compiledText, requireAddresses } from './compile.ts'
import { confirm } from './confirm.ts'
import { endingText } from './confirmChildren.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { readSignedExposure } from './signedExposure.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo adjust`. */
export const adjust: Run = async (call) => {
  const golemOf = (result: unknown) => regrantedResult.parse(result).golem
  const continued = await signedElsewhere(call, adjustedText, golemOf)
  if (continued) return continued
  const { GOLEM: golem, STRATEGY: file } = call.arguments
  if (golem === undefined || file === undefined)
    throw new UsageError('"adjust" needs a Golem and a strategy.', 'Example: bardo adjust beta STRATEGY.md')
  const { terminal } = call
  const strategy = readText(file)
  await using office = await openOffice(readSettings(call))
  const compiled = await office.ask('compile', { strategy, golem })
  if (!terminal.isJson) terminal.note(compiledText(compiled, terminal))
  requireAddresses(compiled)
  if (call.options['print'] === true)
    return printed(
      call,
      'adjust',
      { golem, strategy, closeFirst: call.options['close-first'] === true },
      compiled.exposure,
    )
  const closeFirst = await closesFirst(call, compiled)
  const warning = await endingText(call, office)
  await confirm(call, `${warning && `${warning} `}Sign this and revoke the current delegation?`, 'yes')
  const adjusted = await office.ask(
    'regrant',
    { golem, strategy, closeFirst, ...ownerKeyOption(call) },
    { note: (text) => terminal.progress(text) },
  )
  const ask = (question: { golem: string }) => office.ask('exposure', question)
  const { signedExposure, lines } = await readSignedExposure(ask, adjusted.golem)
  const { changes, dropped, exposure, together } = compiled
  return {
    data: { ...adjusted, changes, dropped, exposure, together, signedExposure },
    text: [adjustedText(adjusted), ...lines].join('\n'),
  }
}

function adjustedText(result: unknown): string {
  const adjusted = regrantedResult.parse(result)
  return [
    ...adjusted.closed.map(
      ({ id, recoveredCents, transaction }) =>
        `Closed ${id}: ${formatDollars(recoveredCents)} returned to your account in ${transaction}.`,
    ),
    `${adjusted.name} has a new strategy. The old delegation is revoked.`,
    ...unmanagedText(adjusted),
    ...(adjusted.endedChildren.length > 0 ? [childrenText(adjusted.endedChildren, 'after')] : []),
  ].join('\n')
}

/** Whether to close open positions before the new strategy is signed: by the flag, or by an answer at the terminal. */
async function closesFirst(
  { options, terminal }: CommandInput,
  { dropped }: Answer<'compile'>,
): Promise<boolean> {
  if (options['close-first'] === true) return true
  const isOpen = dropped.some(({ kind }) => kind === 'vault')
  if (!isOpen || options['yes'] === true || !terminal.isInteractive) return false
  const { confirm: ask } = await import('@clack/prompts')
  return answered(ask({ message: 'Close these positions before signing?' }))
}
