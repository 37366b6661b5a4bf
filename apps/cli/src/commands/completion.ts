import { connectOffice } from '../office/connectOffice.ts'
import { socketPath } from '../office/socketPath.ts'
import { readSettings } from '../place/settings.ts'
import { catalog } from '../shell/catalog.ts'
import type { Call, Run } from '../shell/command.ts'
import { completionFor } from '../shell/completion.ts'

/** `bardo completion`. `golems` is for the scripts themselves: the names, where somebody can be asked at once. */
export const completion: Run = async (call) => {
  const shell = call.arguments['SHELL']
  if (shell === 'golems') return golemNames(call)
  const text = completionFor(shell === 'zsh' || shell === 'fish' ? shell : 'bash', catalog)
  return { data: { shell, script: text }, text }
}

async function golemNames(call: Call) {
  const { home } = readSettings(call)
  const office = await connectOffice(socketPath(home)).catch(() => undefined)
  const names = office ? (await office.ask('golems', {})).map(({ name }) => name) : []
  return { data: names, text: names.join('\n') }
}
