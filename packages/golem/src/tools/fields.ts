import { type Address, getAddress, isAddress, isHash, parseUnits } from 'viem'
import { z } from 'zod'

/** Fields that several tools take. Each says what it wants in a sentence that a model can act on. */

/** A Golem, by its id or its name. Plain letters only: a name that looks like another one is another one. */
export const golemField = z
  .string()
  .max(66)
  .refine((text) => isHash(text) || /^[a-zA-Z0-9][a-zA-Z0-9 _.-]{0,63}$/.test(text), {
    message: 'give a Golem’s id (0x and 64 digits) or its name in plain letters',
  })
  .describe('The Golem’s id, or its name. Left out: the Golem that these tools were opened for.')

/** An address with its checksum, or all in one case. */
export const addressField = z
  .string()
  .max(42)
  .refine((text) => isAddress(text), { message: 'give an address whose checksum is right' })
  .transform((text): Address => getAddress(text))
  .describe('An address: 0x and 40 digits.')

/** What names a call that may be sent twice. */
export const idempotencyField = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,100}$/, 'give 1 to 100 letters, digits, dashes or dots')
  .describe('Send the same key again to repeat a call that may have worked: it takes effect once.')

/** A label that people read. Nothing in it is ever taken for an instruction. */
export const labelField = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.,'’-]*$/u, 'give a short label of letters, digits and blanks')
  .describe('A short label for people.')

/** An amount of a token with so many decimals, as a decimal text or a number, above zero. */
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
        message: `give an amount above zero with at most ${decimals} decimals`,
      })
      return z.NEVER
    })
    .describe(what)
}

/** A number as a person would write it; undefined for one that has no such form, or lost digits. */
function plainNumber(value: number): string | undefined {
  const text = String(value)
  return Number.isFinite(value) && !text.includes('e') && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? text
    : undefined
}
