import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

/** An address, in its checksummed form. */
export const addressSchema = z
  .string()
  .refine((text) => isAddress(text), 'must be an address')
  .transform((text) => getAddress(text))

/** A hash of 32 bytes: a Golem's id, a delegation, a transaction. */
export const hashSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
