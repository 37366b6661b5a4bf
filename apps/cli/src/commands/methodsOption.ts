import { type Method, methodNames } from '@bardo/core'
import type { CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { textOption } from './words.ts'

/** The methods of `--methods`; undefined without the option. */
export function methodsOption(call: Pick<CommandInput, 'options'>): Method[] | undefined {
  const text = textOption(call, 'methods')
  return text?.split(',').map((part) => {
    const found = methodNames.find((name) => name === part.trim())
    if (found) return found
    throw new UsageError(`Unknown method "${part.trim()}".`, `Methods: ${methodNames.join(', ')}.`)
  })
}
