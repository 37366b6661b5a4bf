import { z } from 'zod'
import type { Intention } from '../strategies/strategy.ts'
import { amountField, labelField } from './fields.ts'

/** A symbol of the plan. Plain letters only: what looks like another symbol is another one. */
const symbolField = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9.]{0,15}$/, 'give a symbol of the plan in plain letters, such as USDC')

const shared = {
  dollars: amountField(2, 'How many US dollars it moves, as “12.50” or 12.5.'),
  because: labelField.optional().describe('Why, in a few words for the owner. Nobody acts on it.'),
}

/** What a caller may wish for, in symbols and dollars. It holds no address and no calldata. */
export const wishField = z
  .discriminatedUnion('is', [
    z.strictObject({
      is: z.literal('swap'),
      from: symbolField.describe('What is sold'),
      to: symbolField.describe('What is bought'),
      ...shared,
    }),
    z.strictObject({
      is: z.enum(['deposit', 'withdraw']),
      asset: symbolField.describe('What goes into the owner’s vault, or out of it'),
      ...shared,
    }),
  ])
  .describe('What to do, as the strategies say it.')

/** A wish that was parsed. */
export type Wish = z.output<typeof wishField>

/** A wish as a strategy would put it. */
export function toIntention({ dollars: cents, because = 'a tool asks for it', ...wish }: Wish): Intention {
  return { ...wish, cents, because }
}

/** What events tell of a wish. */
export function wishNumbers(wish: Wish): { readonly action: string; readonly cents: bigint } {
  const symbols = wish.is === 'swap' ? `${wish.from} to ${wish.to}` : wish.asset
  return { action: `${wish.is} ${symbols}`, cents: wish.dollars }
}

/** Cents as dollars, for people. */
export const inDollars = (cents: string | bigint) => `$${(Number(cents) / 100).toFixed(2)}`
