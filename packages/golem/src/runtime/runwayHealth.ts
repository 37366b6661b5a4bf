import { isDisabled } from '@bardo/chain'
import { type PermissionHealth, permissionHealth } from '@bardo/core'
import { permissionKey } from '@bardo/store'
import type { Address } from 'viem'
import { z } from 'zod'
import { delegationSchema } from '../owner/ownerRequest.ts'
import type { GolemParts } from './golemParts.ts'
import { usagesOf } from './livelihood.ts'

/** How a runway stands. Amounts are in the token's units. */
export type RunwayHealth = {
  readonly permissionId: string
  readonly token: Address
  readonly health: PermissionHealth
  readonly dailyCap: bigint
  readonly remainingToday: bigint
  /** What is left of today and of all whole days after it. */
  readonly totalRemaining: bigint
  readonly daysRemaining: number
}

const hex = z.templateLiteral(['0x', z.string()])
const kept = z.looseObject({
  permissionId: z.string(),
  token: hex,
  expiresAt: z.number(),
  grant: delegationSchema,
})
const daySeconds = 86_400n

/** A Golem's ERC-7715 runway by the signed bytes and the chain; undefined for one that has none. */
export async function runwayHealth(
  place: Pick<GolemParts, 'store' | 'client' | 'deployment'>,
  golem: GolemParts['id'],
): Promise<RunwayHealth | undefined> {
  const stored = kept.safeParse((await place.store.grimoire.get(golem, permissionKey(golem)))?.body)
  if (!stored.success) return undefined
  const { permissionId, token, expiresAt, grant } = stored.data
  const [usages, revoked, { timestamp }] = await Promise.all([
    usagesOf(place, [grant]),
    isDisabled(place, grant),
    place.client.getBlock(),
  ])
  const day = usages.find(({ unit, renews }) => renews && unit.toLowerCase() === token.toLowerCase())
  if (!day) return undefined
  const secondsLeft = BigInt(expiresAt) - timestamp
  const days = secondsLeft > 0n && !revoked ? secondsLeft / daySeconds : 0n
  const left = secondsLeft > 0n && !revoked && day.limit > day.spent ? day.limit - day.spent : 0n
  return {
    permissionId,
    token,
    health: permissionHealth({ revoked, dailyCap: day.limit, remainingToday: left, secondsLeft }),
    dailyCap: day.limit,
    remainingToday: left,
    totalRemaining: left + days * day.limit,
    daysRemaining: Number(days),
  }
}
