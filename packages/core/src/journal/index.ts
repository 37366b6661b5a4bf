export type { Clock } from './clock.ts'
export type {
  Attempt,
  Intent,
  IntentOutcome,
  Journal,
  JournalRecord,
  Mined,
  Sender,
} from './journal.ts'
export { createMemoryJournal } from './memoryJournal.ts'
export type { SubmissionEvent } from './submissionEvent.ts'
