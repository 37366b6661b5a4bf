import { type Address, getAddress, type Hex, maxUint256 } from 'viem'
import { z } from 'zod'

/** An address in any letter case, checksummed: from here on, equal addresses are equal strings. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address')
  .transform((value): Address => getAddress(value.toLowerCase()))

/** Whole bytes in hex. */
export const bytes = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'expected whole bytes in hex')
  .transform((value): Hex => `0x${value.slice(2)}`)

/** A uint256 in hex. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, 'expected a number in hex')
  .transform((value) => BigInt(value))

/** A chain id in hex, as a number. */
export const chainId = quantity
  .refine((value) => value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER), 'expected a chain id')
  .transform(Number)

/** An amount in hex for a permission; zero would be a permission to do nothing. */
export const positiveAmount = quantity.refine(
  (value) => value > 0n && value <= maxUint256,
  'must be greater than 0',
)
