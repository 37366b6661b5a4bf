import type { Run } from '../terminal/command.ts'
import { wrapLines } from '../terminal/wrapLines.ts'
import { askOffice } from './askOffice.ts'
import { textOption } from './words.ts'

/** `bardo explain`. Exit code 0 for every verdict, also for a refusal. */
export const explain: Run = async (call) => {
  const golem = textOption(call, 'golem')
  const subject = call.arguments['SUBJECT'] ?? ''
  const explanation = await askOffice(call, 'explain', { subject, ...(golem !== undefined && { golem }) })
  const text = explanation.text === '' ? explanation.summary : explanation.text
  const waits = explanation.waits ? `${explanation.name} ${explanation.waits.text}.\n` : ''
  return { data: explanation, text: wrapLines(`${waits}${text}`, call.terminal.width) }
}
