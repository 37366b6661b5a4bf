import { type Address, getAddress, isAddress, isHash, parseUnits } from 'viem'
import { z } from 'zod'

/** Fields that several tools share. Each message and description tells a model what to send. */

/**
 * A Golem, by its id or its name. ASCII only, so that a look-alike Unicode name cannot imitate another one.
 */
export const golemField = z
  .string()
  .max(66)
  .refine((text) => isHash(text) || /^[a-zA-Z0-9][a-zA-Z0-9 _.-]{0,63}$/.test(text), {
    message: 'must be a Golem’s id (0x and 64 hexadecimal digits) or its name in plain letters',
  })
  .describe('The Golem’s id or name. Default: the Golem that these tools were opened for.')

/** An address with a valid checksum, or all in one case. */
export const addressField = z
  .string()
  .max(42)
  .refine((text) => isAddress(text), { message: 'must be an address with a valid checksum' })
  .transform((text): Address => getAddress(text))
  .describe('An address: 0x and 40 hexadecimal digits.')

/** The idempotency key of a call. */
export const idempotencyField = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,100}$/, 'must be 1 to 100 letters, digits or the signs _ . : -')
  .describe(
    'A key of your choice. To repeat a call whose outcome is unknown, send the same key again: the call takes effect once.',
  )

/** A label that people read. It is never interpreted as an instruction. */
export const labelField = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _.,'’-]*$/u,
    'must be a short label of letters, digits, spaces and simple punctuation',
  )
  .describe('A short label for people.')

/** A token amount above zero with at most `decimals` decimals, as a decimal string or a number. */
export function amountField(decimals: number, what: string) {
  return z
    .union([z.string().max(40), z.number()])
    .transform((value, context): bigint => {
      const text = typeof value === 'number' ? plainNumber(value) : value
      const isDecimal = text !== undefined && /^\d{1,30}(\.\d+)?$/.test(text)
      const fraction = isDecimal ? (text.split('.')[1] ?? '') : ''
      const amount = isDecimal && fraction.length <= decimals ? parseUnits(text, decimals) : 0n
      if (amount > 0n && amount < 2n ** 128n) return amount
      context.issues.push({
        code: 'custom',
        input: undefined,
        message: `must be an amount above zero with at most ${decimals} decimals`,
      })
      return z.NEVER
    })
    .describe(what)
}

/** A number in decimal notation; undefined if it needs an exponent or has lost digits. */
function plainNumber(value: number): string | undefined {
  const text = String(value)
  return Number.isFinite(value) && !text.includes('e') && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? text
    : undefined
}
