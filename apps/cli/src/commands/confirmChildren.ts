import type { Office } from '../rpc/office.ts'
import type { CommandInput } from '../terminal/command.ts'
import { childrenText } from '../text/childrenText.ts'
import { confirm } from './confirm.ts'
import { golemArgument } from './words.ts'

/**
 * Names the children and the receivers of delegations that end with the old delegation, and asks for confirmation. Without any
 * it does not ask.
 */
export async function confirmChildren(call: CommandInput, office: Office): Promise<void> {
  const warning = await endingText(call, office)
  if (warning !== '') await confirm(call, warning, 'yes')
}

/** Who ends with the old delegation: children, and receivers of delegations. Empty if there are none. */
export async function endingText(call: CommandInput, office: Office): Promise<string> {
  const { children, receivers } = await office.ask('children', golemArgument(call))
  return [
    ...(children.length > 0 ? [childrenText(children, 'before')] : []),
    ...(receivers.length > 0 ? [`What it delegated to ${receivers.join(', ')} ends too.`] : []),
  ].join(' ')
}
