import { BardoError } from '@bardo/core'
import type { CommandInput } from '../terminal/command.ts'
import { answered } from './answered.ts'

/** Asks for confirmation: the user types a word. --yes skips it, and is the only way without a terminal. */
export async function confirm(
  { options, terminal }: CommandInput,
  question: string,
  word: string,
): Promise<void> {
  if (options['yes'] === true) return
  if (!terminal.isInteractive)
    throw new BardoError('Confirmation needed, but this is not an interactive terminal.', {
      code: 'INVALID_INPUT',
      details: [question],
      remedy: 'Add --yes to confirm.',
    })
  const { text } = await import('@clack/prompts')
  const typed = await answered(text({ message: `${question} Type ${word} to confirm:` }))
  if (typed !== word)
    throw new BardoError(`Cancelled: you did not type "${word}". Nothing was done.`, {
      code: 'USER_REJECTED',
    })
}
