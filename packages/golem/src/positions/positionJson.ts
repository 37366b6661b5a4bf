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
    return { id, kind, contract: position.manager, symbol: null, shares: null, cents: null, managed }
  const { vault: contract, symbol = null, shares, cents } = position
  return {
    id,
    kind,
    contract,
    symbol,
    shares: `${shares}`,
    cents: cents === undefined ? null : `${cents}`,
    managed,
  }
}
