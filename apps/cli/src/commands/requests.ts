import type { Run } from '../shell/command.ts'
import { UsageError } from '../shell/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { ownerKeyOption } from './words.ts'

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
  const answered = await askOffice(call, 'answer', { request, says, ...ownerKeyOption(call) })
  return {
    data: answered,
    text: answered.isTaken
      ? `Done: ${says} to ${answered.kind} of ${answered.name}.`
      : 'Somebody was faster.',
    exit: answered.isTaken ? 0 : 1,
  }
}
