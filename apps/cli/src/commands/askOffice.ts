import { readSettings } from '../context/settings.ts'
import type { Answer, Question, TaskName } from '../rpc/office.ts'
import { openOffice } from '../rpc/openOffice.ts'
import type { CommandInput } from '../terminal/command.ts'

/** Sends one request to the process that holds the data folder, and shows its progress. */
export async function askOffice<Name extends TaskName>(
  call: CommandInput,
  name: Name,
  question: Question<Name>,
): Promise<Answer<Name>> {
  await using office = await openOffice(readSettings(call))
  return await office.ask(name, question, {
    note: (text) => call.terminal.progress(text),
    signal: call.signal,
  })
}
