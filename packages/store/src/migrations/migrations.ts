import { firstSchema } from './0001-first-schema.ts'
import { lives } from './0002-lives.ts'
import { builtActions } from './0003-built-actions.ts'
import { undoneSettlements } from './0004-undone-settlements.ts'
import { operations } from './0005-operations.ts'
import { pausedGolems } from './0006-paused-golems.ts'
import { requestNumbers } from './0007-request-numbers.ts'
import { ledger } from './0008-ledger.ts'
import type { Migration } from './migration.ts'

/** All steps in order. A new step gets its own file and is added at the end. */
export const migrations: readonly Migration[] = [
  firstSchema,
  lives,
  builtActions,
  undoneSettlements,
  operations,
  pausedGolems,
  requestNumbers,
  ledger,
]
