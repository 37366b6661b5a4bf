import type { Intention } from '@bardo/golem/strategy'
import { z } from 'zod'
import { amountField, labelField } from './fields.ts'

/**
 * A token symbol of the plan. ASCII only, so that a look-alike Unicode letter cannot imitate another symbol.
 */
const symbolField = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9.]{0,15}$/, 'must be a token symbol of the plan in plain letters, such as USDC')

const shared = {
  dollars: amountField(2, 'The value to move in US dollars, for example “12.50” or 12.5.'),
  because: labelField
    .optional()
    .describe('The reason, in a few words for the owner. It is shown, never executed.'),
}

const poolField = z
  .tuple([symbolField, symbolField])
  .describe('Both tokens of the pool in alphabetical order, such as ["USDC", "WETH"]')
const tokenIdField = z
  .string()
  .regex(/^\d{1,78}$/, 'must be the number of a position of this Golem')
  .transform(BigInt)
  .describe('The position: the digits of an id such as liquidity-7 in wallet_get_status')
/** How far a range reaches, in basis points of the price. */
const rangeField = z.int().min(1).max(100_000)

/** A valid action request. */
export const exampleRequest = { type: 'swap', from: 'USDC', to: 'WETH', dollars: 10 } as const

/** An action request, in token symbols and dollars. It holds no address and no calldata. */
export const actionRequestField = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('swap').describe('Sells one token for another.'),
      from: symbolField.describe('The token to sell'),
      to: symbolField.describe('The token to buy'),
      ...shared,
    }),
    z.strictObject({
      type: z
        .enum(['deposit', 'withdraw'])
        .describe('Deposits a token into the owner’s vault, or withdraws it.'),
      asset: symbolField.describe('The token to deposit or withdraw'),
      ...shared,
    }),
    z.strictObject({
      type: z.literal('addLiquidity').describe('Adds liquidity to a Uniswap V3 pool of the plan.'),
      assets: poolField,
      downBps: rangeField.max(9_999).describe('How far the range reaches below the price, in basis points'),
      upBps: rangeField.describe('How far the range reaches above the price, in basis points'),
      tokenId: tokenIdField.exactOptional(),
      ...shared,
    }),
    z.strictObject({
      type: z
        .enum(['removeLiquidity', 'collect'])
        .describe('Removes and collects all of a position that this Golem opened, or only its fees.'),
      assets: poolField,
      tokenId: tokenIdField,
      ...shared,
    }),
  ])
  .describe(`The action to take; for example ${JSON.stringify(exampleRequest)}`)

/** A parsed action request. */
export type ActionRequest = z.output<typeof actionRequestField>

/** Converts an action request to the form that strategies return. */
export function toIntention({
  dollars: cents,
  because = 'requested by a tool',
  ...request
}: ActionRequest): Intention {
  if (request.type === 'removeLiquidity') return { ...request, type: 'removeLiquidity', cents, because }
  if (request.type === 'collect') return { ...request, type: 'collect', cents, because }
  return { ...request, cents, because }
}

/** The fields of an action request that events record. */
export function requestNumbers(request: ActionRequest): { readonly action: string; readonly cents: bigint } {
  const symbols =
    request.type === 'swap'
      ? `${request.from} to ${request.to}`
      : 'assets' in request
        ? request.assets.join('/')
        : request.asset
  return { action: `${request.type} ${symbols}`, cents: request.dollars }
}
