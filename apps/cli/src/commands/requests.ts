import type { CommandInput, Run } from '../terminal/command.ts'
import { shown } from '../terminal/shown.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { confirm } from './confirm.ts'
import { numberOption, ownerKeyOption, textOption } from './words.ts'

/** `bardo requests`. */
export const requests: Run = async (call) => {
  const { REQUEST: request, ANSWER: says } = call.arguments
  if (request === undefined) {
    const waiting = await askOffice(call, 'requests', {})
    const lines = waiting.flatMap(({ id, name, kind, sentence }) => [
      `${call.terminal.stress('bold', name)}: ${kind}`,
      `  ${sentence}`,
      `  bardo requests ${id} yes`,
    ])
    return { data: waiting, text: lines.length > 0 ? lines.join('\n') : 'No request is waiting for you.' }
  }
  if (says !== 'yes' && says !== 'no')
    throw new UsageError(
      'Missing argument ANSWER (yes or no).',
      `Example: bardo requests ${shown(request, 20)} yes.`,
    )
  const override = call.options['override'] === true
  const less = lessOption(call)
  const effects = says === 'yes' ? await showEffects(call, request, less) : []
  const answered = await askOffice(call, 'answer', {
    request,
    says,
    ...less,
    override,
    ...ownerKeyOption(call),
  })
  return {
    data: { ...answered, effects },
    text: answered.isTaken
      ? `${says === 'yes' ? 'Approved' : 'Refused'}: the ${answered.kind} request of ${answered.name}.`
      : 'Not changed: this request was answered by another process first.',
    exit: answered.isTaken ? 0 : 1,
  }
}

/** Shows what a runway changes before it is signed. Asks for confirmation if a partial approval does not extend the Golem's life. */
async function showEffects(call: CommandInput, request: string, { less }: ReturnType<typeof lessOption>) {
  const { terminal } = call
  const effects = await askOffice(call, 'runwayEffects', { request, ...(less && { less }) })
  if (!terminal.isJson) for (const { name, sentence } of effects) terminal.note(`${name}: ${sentence}`)
  const isLess = less?.amount !== undefined || less?.days !== undefined
  if (isLess && terminal.isInteractive && effects.some(({ lengthensLife }) => !lengthensLife))
    await confirm(call, 'This does not extend its life. Grant it anyway?', 'yes')
  return effects
}

/** A partial approval: an amount or a duration below the requested one. */
function lessOption(call: CommandInput): { readonly less?: { amount?: string; days?: number } } {
  const amount = textOption(call, 'amount')
  const days =
    textOption(call, 'days') === undefined
      ? undefined
      : numberOption(call, 'days', { least: 1, most: 3_650, otherwise: 1 })
  const less = { ...(amount !== undefined && { amount }), ...(days !== undefined && { days }) }
  if (call.arguments['ANSWER'] !== 'no') return { less }
  if (amount !== undefined || days !== undefined)
    throw new UsageError(
      '--amount and --days apply only to a yes.',
      'Leave them out to refuse the whole request.',
    )
  return {}
}
