import type { Run } from '../shell/command.ts'
import { wrapLines } from '../shell/wrapLines.ts'
import { askOffice } from './askOffice.ts'
import { golemArgument } from './words.ts'

/** `bardo tree`. */
export const tree: Run = async (call) => {
  const shown = await askOffice(call, 'tree', golemArgument(call))
  return {
    data: { golem: shown.golem, name: shown.name, tree: shown.tree },
    text: wrapLines(shown.text, call.terminal.width),
  }
}
