import { readSettings } from '../context/settings.ts'
import { connectOffice } from '../rpc/connectOffice.ts'
import { socketPath } from '../rpc/socketPath.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { completionFor } from '../terminal/completion.ts'
import { catalog } from './catalog.ts'

/** `bardo completion`. The scripts call `golems` for the names of Golems; without a running process there are none. */
export const completion: Run = async (call) => {
  const shell = call.arguments['SHELL']
  if (shell === 'golems') return golemNames(call)
  const text = completionFor(shell === 'zsh' || shell === 'fish' ? shell : 'bash', catalog)
  return { data: { shell, script: text }, text }
}

async function golemNames(call: CommandInput) {
  const { home } = readSettings(call)
  const office = await connectOffice(socketPath(home)).catch(() => undefined)
  const golems = office ? await office.ask('golems', {}) : []
  const names = [...new Set(golems.map(({ name }) => name))]
  return { data: names, text: names.join('\n') }
}
