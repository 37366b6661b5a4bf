import { createMemoryJournal } from './memoryJournal.ts'
import { describeJournal } from './testing/describeJournal.ts'

describeJournal('the memory journal', createMemoryJournal)
