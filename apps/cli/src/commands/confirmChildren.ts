import type { Office } from '../rpc/office.ts'
import type { CommandInput } from '../terminal/command.ts'
import { childrenText } from '../text/childrenText.ts'
import { confirm } from './confirm.ts'
import { golemArgument } from './words.ts'

/** Names the children that end with the old delegation, and asks for confirmation. Without children it does not ask. */
export async function confirmChildren(call: CommandInput, office: Office): Promise<void> {
  const { children } = await office.ask('children', golemArgument(call))
  if (children.length > 0) await confirm(call, childrenText(children, 'before'), 'yes')
}
