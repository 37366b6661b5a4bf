import type { GolemParts } from './golemParts.ts'

/** The receiver of warnings: the caller's, or Node's process warnings. */
export function warningOf({ warn }: Pick<GolemParts, 'warn'>): (message: string) => void {
  return warn ?? ((message) => process.emitWarning(message))
}
