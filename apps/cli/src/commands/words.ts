import { resolve } from 'node:path'
import { unknownVariables } from '@bardo/golem'
import type { CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'

/** The text of an option, if it was given. */
export function textOption({ options }: Pick<CommandInput, 'options'>, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A whole number within bounds. */
export function numberOption(
  call: Pick<CommandInput, 'options'>,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const text = textOption(call, name)
  if (text === undefined) return otherwise
  const number = Number(text)
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}.`, `Default: ${otherwise}.`)
}

/** Dollars as cents, in digits. */
export function centsOption(call: Pick<CommandInput, 'options'>, name: string, otherwise: string): string {
  const [, whole, cents = ''] =
    /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(textOption(call, name) ?? otherwise) ?? []
  if (whole !== undefined) return `${Number(whole) * 100 + Number(cents.padEnd(2, '0'))}`
  throw new UsageError(`--${name} takes dollars, such as 2.50.`, `Default: ${otherwise}.`)
}

/** The file with the owner's key, as an absolute path: another process with another folder may read it. */
export function ownerKeyOption(call: Pick<CommandInput, 'options'>): { readonly ownerKey?: string } {
  const file = textOption(call, 'owner-key')
  return file === undefined ? {} : { ownerKey: resolve(file) }
}

/** The Golem that the call names, if any. */
export function golemArgument({ arguments: { GOLEM } }: Pick<CommandInput, 'arguments'>): {
  readonly golem?: string
} {
  return GOLEM === undefined ? {} : { golem: GOLEM }
}

/** Shows each warning about a Golem once, for a process that opens Golems again and again. */
export function noteOnce({ terminal }: Pick<CommandInput, 'terminal'>): (message: string) => void {
  const shown = new Set<string>()
  return (message) => {
    if (!shown.has(message)) terminal.note(`Warning: ${message}`)
    shown.add(message)
  }
}

/** Notes environment variables that start with BARDO_ and are not settings, such as a misspelt one. */
export function noteUnknownVariables({ env, terminal }: Pick<CommandInput, 'env' | 'terminal'>): void {
  const unknown = unknownVariables(env)
  if (unknown.length > 0) terminal.note(`Ignored, not a setting of Bardo: ${unknown.join(', ')}.`)
}
