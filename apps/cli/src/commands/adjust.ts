import { openOffice } from '../office/openOffice.ts'
import { readSettings } from '../place/settings.ts'
import type { Run } from '../shell/command.ts'
import { compiledText } from './compile.ts'
import { confirm } from './confirm.ts'
import { readText } from './readText.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo adjust`. */
export const adjust: Run = async (call) => {
  const { GOLEM: golem = '', STRATEGY: file = '' } = call.arguments
  const { terminal } = call
  const strategy = readText(file)
  await using office = await openOffice(readSettings(call))
  const compiled = await office.ask('compile', { strategy, golem })
  if (!terminal.isJson) terminal.note(compiledText(compiled, terminal))
  await confirm(call, 'Sign this instead of what it has?', 'yes')
  const adjusted = await office.ask(
    'regrant',
    { golem, strategy, ...ownerKeyOption(call) },
    { note: (text) => terminal.progress(text) },
  )
  return {
    data: { ...adjusted, changes: compiled.changes },
    text: `${adjusted.name} has another strategy now.`,
  }
}
