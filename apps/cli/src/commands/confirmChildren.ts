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
  const { children, receivers } = await office.ask('children', golemArgument(call))
  const sentences = [
    ...(children.length > 0 ? [childrenText(children, 'before')] : []),
    ...(receivers.length > 0 ? [`What it delegated to ${receivers.join(', ')} ends too.`] : []),
  ]
  if (sentences.length > 0) await confirm(call, sentences.join(' '), 'yes')
}
