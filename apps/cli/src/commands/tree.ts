import type { Run } from '../terminal/command.ts'
import { wrapLines } from '../terminal/wrapLines.ts'
import { askOffice } from './askOffice.ts'
import { golemArgument } from './words.ts'

/** `bardo tree`. */
export const tree: Run = async (call) => {
  const shown = await askOffice(call, 'tree', golemArgument(call))
  return {
    data: { golem: shown.golem, name: shown.name, tree: shown.tree, runway: shown.runway },
    text: wrapLines(shown.text, call.terminal.width),
  }
}
