import type { Run } from '../shell/command.ts'
import { wrapLines } from '../shell/wrapLines.ts'
import { askOffice } from './askOffice.ts'
import { textOption } from './words.ts'

/** `bardo explain`. It ends with 0 whatever the verdict is: the question was answered. */
export const explain: Run = async (call) => {
  const golem = textOption(call, 'golem')
  const subject = call.arguments['SUBJECT'] ?? ''
  const found = await askOffice(call, 'explain', { subject, ...(golem !== undefined && { golem }) })
  return { data: found, text: wrapLines(found.text === '' ? found.summary : found.text, call.terminal.width) }
}
