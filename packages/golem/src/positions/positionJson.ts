import { getAddress } from 'viem'
import { z } from 'zod'
import type { HeldPosition } from './heldPositions.ts'

/** A position as JSON, for programs and displays. */
export const positionFields = z.strictObject({
  id: z.string(),
  kind: z.enum(['vault', 'liquidity']),
  contract: z.string().describe('The vault, or the position manager'),
  symbol: z
    .string()
    .nullable()
    .describe('The vault’s symbol in the operator’s address book; null if it has none'),
  shares: z.string().nullable().describe('The vault shares; null for liquidity'),
  cents: z.string().nullable().describe('US cents; null if it cannot be priced'),
  managed: z
    .enum(['now', 'before', 'never'])
    .describe('Whether this Golem can close it now, could under an earlier root, or never could'),
  liquidity: z
    .strictObject({
      token0: z.string(),
      token1: z.string(),
      amount0: z.string().describe('Base units, at the pool’s price, without fees'),
      amount1: z.string(),
      fees0: z.string().describe('Base units that collecting would pay out'),
      fees1: z.string(),
      feeCents: z.string().nullable().describe('US cents; null if they cannot be priced'),
      tickLower: z.number(),
      tickUpper: z.number(),
      inRange: z.boolean().describe('Whether the pool’s price is in the range: only then it earns fees'),
    })
    .nullable()
    .describe('Null for a vault, and if the position cannot be read'),
})

export type PositionJson = z.infer<typeof positionFields>

/**
 * Converts a position to JSON.
 *
 * @param isOver - whether the Golem is dead or its root is revoked: it manages nothing any more
 */
export function positionJson(position: HeldPosition, isOver = false): PositionJson {
  const { id, type: kind } = position
  const managed = isOver && position.managed === 'now' ? 'before' : position.managed
  if (position.type === 'liquidity')
    return {
      id,
      kind,
      contract: position.manager,
      symbol: null,
      shares: null,
      cents: toText(position.cents),
      managed,
      liquidity: liquidityJson(position),
    }
  const { vault: contract, symbol = null, shares, cents } = position
  return {
    id,
    kind,
    contract,
    symbol,
    shares: `${shares}`,
    cents: toText(cents),
    managed,
    liquidity: null,
  }
}

function liquidityJson({
  seen,
  feeCents,
}: Extract<HeldPosition, { type: 'liquidity' }>): PositionJson['liquidity'] {
  if (!seen) return null
  const { token0, token1, held, fees, tickLower, tickUpper, inRange } = seen
  return {
    token0: getAddress(token0),
    token1: getAddress(token1),
    amount0: `${held.amount0}`,
    amount1: `${held.amount1}`,
    fees0: `${fees.amount0}`,
    fees1: `${fees.amount1}`,
    feeCents: toText(feeCents),
    tickLower,
    tickUpper,
    inRange,
  }
}

const toText = (cents: bigint | undefined) => (cents === undefined ? null : `${cents}`)
