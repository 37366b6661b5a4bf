import { BardoError, type Journal } from '@bardo/core'

/**
 * The journal, with every failure of its storage told as one code. The outcome is unknown: the write may have been
 * made, and whoever reads the journal next carries it on.
 */
export function guardJournal(journal: Journal): Journal {
  const guard =
    <Arguments extends readonly unknown[], Result>(write: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      try {
        return await write(...args)
      } catch (cause) {
        if (cause instanceof BardoError) throw cause
        throw new BardoError('The journal does not answer.', {
          code: 'JOURNAL_UNAVAILABLE',
          outcome: 'unknown',
          remedy: 'Submit the same intent again once it does: it lands once.',
          cause,
        })
      }
    }
  return {
    addIntent: guard(journal.addIntent),
    claimNonce: guard(journal.claimNonce),
    addAttempt: guard(journal.addAttempt),
    close: guard(journal.close),
    noteMined: guard(journal.noteMined),
    settle: guard(journal.settle),
    find: guard(journal.find),
    open: guard(journal.open),
    highestNonce: guard(journal.highestNonce),
  }
}
