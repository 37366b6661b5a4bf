import type { Attempt, Intent, IntentOutcome, JournalRecord, Mined } from '@bardo/core'
import { z } from 'zod'
import { address, document, hex, integer, optional } from '../database/columns.ts'

const intent = z.object({
  id: z.string(),
  chainId: z.int(),
  from: address,
  to: address,
  value: z.bigint(),
  data: hex,
  gas: z.bigint(),
  expiresAt: z.number().exactOptional(),
  sweep: z.literal(true).exactOptional(),
  operation: z.object({ verificationGas: z.bigint(), preVerificationGas: z.bigint() }).exactOptional(),
}) satisfies z.ZodType<Intent>

const attempt = z.object({
  hash: hex,
  raw: hex,
  purpose: z.enum(['intent', 'close']),
  maxFeePerGas: z.bigint(),
  maxPriorityFeePerGas: z.bigint(),
  storedAt: z.number(),
}) satisfies z.ZodType<Attempt>

const mined = z.object({
  hash: hex,
  transaction: hex.exactOptional(),
  blockNumber: z.bigint(),
  blockHash: hex,
  status: z.enum(['success', 'reverted']),
}) satisfies z.ZodType<Mined>

const settlement = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('landed'), mined }),
  z.object({ kind: z.literal('closed'), mined }),
  z.object({ kind: z.literal('displaced'), by: hex.optional() }).transform(({ kind, by }) => ({ kind, by })),
  z.object({ kind: z.literal('dropped') }),
]) satisfies z.ZodType<IntentOutcome>

/** A row of the journal as a record. */
export const journalRow = z
  .object({
    intent: document.pipe(intent),
    added_at: integer,
    nonce: optional(integer),
    attempts: z.array(document.pipe(attempt)),
    closing: z.boolean(),
    mined: optional(document.pipe(mined)),
    settlement: optional(document.pipe(settlement)),
    undone: optional(document.pipe(settlement)),
  })
  .transform(({ added_at, ...row }): JournalRecord => ({ ...row, addedAt: added_at }))
