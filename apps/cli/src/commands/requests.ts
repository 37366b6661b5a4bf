import type { Run } from '../shell/command.ts'
import { UsageError } from '../shell/UsageError.ts'
import { askOffice } from './askOffice.ts'
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
    return { data: waiting, text: lines.length > 0 ? lines.join('\n') : 'Nothing waits for you.' }
  }
  if (says !== 'yes' && says !== 'no')
    throw new UsageError('What do you say?', `bardo requests ${request.slice(0, 20)}… yes, or no.`)
  const override = call.options['override'] === true
  const answered = await askOffice(call, 'answer', {
    request,
    says,
    ...lessOption(call),
    override,
    ...ownerKeyOption(call),
  })
  return {
    data: answered,
    text: answered.isTaken
      ? `Done: ${says} to ${answered.kind} of ${answered.name}.`
      : 'Somebody was faster.',
    exit: answered.isTaken ? 0 : 1,
  }
}

/** A yes to less than was asked for. */
function lessOption(call: Parameters<Run>[0]) {
  const amount = textOption(call, 'amount')
  const days =
    textOption(call, 'days') === undefined
      ? undefined
      : numberOption(call, 'days', { least: 1, most: 3_650, otherwise: 1 })
  const less = { ...(amount !== undefined && { amount }), ...(days !== undefined && { days }) }
  if (call.arguments['ANSWER'] !== 'no') return { less }
  if (amount !== undefined || days !== undefined)
    throw new UsageError('A no is a no to all of it.', 'Leave --amount and --days out.')
  return {}
}
