import type { Answer, Question, TaskName } from '../office/office.ts'
import { openOffice } from '../office/openOffice.ts'
import { readSettings } from '../place/settings.ts'
import type { Call } from '../shell/command.ts'

/** Asks one thing of the office, with progress shown meanwhile. */
export async function askOffice<Name extends TaskName>(
  call: Call,
  name: Name,
  question: Question<Name>,
): Promise<Answer<Name>> {
  await using office = await openOffice(readSettings(call))
  return await office.ask(name, question, {
    note: (text) => call.terminal.progress(text),
    signal: call.signal,
  })
}
