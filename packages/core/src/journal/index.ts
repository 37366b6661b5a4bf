export type { Clock } from './clock.ts'
export {
  type Attempt,
  type Intent,
  type IntentOutcome,
  type Journal,
  type JournalRecord,
  type Mined,
  minedTransaction,
  type Sender,
} from './journal.ts'
export { createMemoryJournal } from './memoryJournal.ts'
export type { SubmissionEvent } from './submissionEvent.ts'
