import { firstSchema } from './0001-first-schema.ts'
import { lives } from './0002-lives.ts'
import type { Migration } from './migration.ts'

/** All steps in their order; the next one is written into a file of its own and added at the end. */
export const migrations: readonly Migration[] = [firstSchema, lives]
