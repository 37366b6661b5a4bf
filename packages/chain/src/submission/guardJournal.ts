import { BardoError, type Journal } from '@bardo/core'

/**
 * The journal, with one error code for every failure of its storage. The outcome is unknown: the write may
 * have happened, and the next process that reads the journal continues from it.
 */
export function guardJournal(journal: Journal): Journal {
  const guard =
    <Arguments extends readonly unknown[], Result>(write: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      try {
        return await write(...args)
      } catch (cause) {
        if (cause instanceof BardoError) throw cause
        throw new BardoError('The journal is unavailable.', {
          code: 'JOURNAL_UNAVAILABLE',
          outcome: 'unknown',
          remedy: 'Submit the same intent again when the journal is back. It lands at most once.',
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
    reopen: guard(journal.reopen),
    find: guard(journal.find),
    open: guard(journal.open),
    from: guard(journal.from),
    highestNonce: guard(journal.highestNonce),
  }
}
