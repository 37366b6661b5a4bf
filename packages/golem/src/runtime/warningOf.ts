import type { GolemParts } from './golemParts.ts'

/** Where warnings go: to whoever asked for them, else to Node's own place for them. */
export function warningOf({ warn }: Pick<GolemParts, 'warn'>): (message: string) => void {
  return warn ?? ((message) => process.emitWarning(message))
}
