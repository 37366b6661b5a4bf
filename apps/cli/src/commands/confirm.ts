import { BardoError } from '@bardo/core'
import type { Call } from '../shell/command.ts'
import { answered } from './answered.ts'

/** Makes sure that something is meant: by typing a word, or by --yes. Where nobody can be asked, only by --yes. */
export async function confirm({ options, terminal }: Call, question: string, word: string): Promise<void> {
  if (options['yes'] === true) return
  if (!terminal.isInteractive)
    throw new BardoError('This is for you to confirm, and nobody can be asked here.', {
      code: 'INVALID_INPUT',
      remedy: 'Add --yes.',
    })
  const { text } = await import('@clack/prompts')
  const typed = await answered(text({ message: `${question} Type ${word} to go on:` }))
  if (typed !== word)
    throw new BardoError('Nothing was done.', { code: 'USER_REJECTED', details: ['that was something else'] })
}
