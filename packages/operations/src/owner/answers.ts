import { z } from 'zod'

const bytes = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
const hash = bytes.refine((value) => value.length === 66, 'must have 32 bytes')

/**
 * The owner's answer to one step: a signature; the hash of a transaction that the owner's wallet sent; a signed
 * transaction, which is broadcast here; or what the owner's wallet answered to a request for permissions (ERC-7715).
 */
export const ownerAnswerSchema = z.union([
  z.strictObject({ digest: hash, signature: bytes }),
  z.strictObject({ digest: hash, transaction: hash }),
  z.strictObject({ digest: hash, rawTransaction: bytes }),
  z.strictObject({ digest: hash, permissions: z.json() }),
])

/** The owner's answer to one step. */
export type OwnerAnswer = z.output<typeof ownerAnswerSchema>

/** All answers of an operation so far, as they are stored. */
export const storedAnswersSchema = z.record(hash, ownerAnswerSchema)
