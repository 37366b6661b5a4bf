import { BardoError } from '@bardo/core'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { decodeJson } from '../json/json.ts'
import type { Row } from './database.ts'

/** A `bigint` column: one driver returns text, the other a number. */
export const integer = z.union([z.number(), z.string(), z.bigint()]).transform(Number).pipe(z.int())

/** A `numeric` column with whole numbers. */
export const amount = z.string().transform(BigInt)

/** Bytes of any length. */
export const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((value): Hex => `0x${value.slice(2)}`)

/** An account address, as it was stored. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((value): Address => `0x${value.slice(2)}`)

/** A column that may be empty. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.null().transform(() => undefined), schema])

/** A document written by `encodeJson`. */
export const document = z.string().transform((text, context) => {
  try {
    return decodeJson(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not a document that Bardo wrote' })
    return z.NEVER
  }
})

/** Parses a row. A row that does not fit was not written by Bardo. */
export function parseRow<Schema extends z.ZodType>(schema: Schema, row: Row): z.output<Schema> {
  const parsed = schema.safeParse(row)
  if (parsed.success) return parsed.data
  throw new BardoError('The database contains a row that Bardo did not write.', {
    code: 'STORE_CORRUPT',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
    remedy: 'Restore a backup. `audit.verify` checks whether the event record is intact.',
    docsPath: 'store.md#backup',
  })
}
