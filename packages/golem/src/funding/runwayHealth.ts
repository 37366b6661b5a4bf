import { isDisabled } from '@bardo/chain'
import { type PermissionHealth, permissionHealth } from '@bardo/core'
import { activeKey } from '@bardo/wallets'
import type { Address } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import { runwayDay } from './runwayDay.ts'
import { canDraw, findRunway } from './storedRunway.ts'

/** The health of a runway. Amounts are in base units. */
export type RunwayHealth = {
  readonly permissionId: string
  readonly token: Address
  readonly health: PermissionHealth
  /** Whether the active key can draw. If not, the health is at best critical, and nothing remains. */
  readonly isDrawable: boolean
  readonly dailyCap: bigint
  readonly remainingToday: bigint
  /** The rest of today plus all later whole days. */
  readonly totalRemaining: bigint
  readonly daysRemaining: number
}

const daySeconds = 86_400n

/**
 * The health of a Golem's ERC-7715 runway, from the signed bytes and the chain; undefined if there is none.
 */
export async function runwayHealth(
  context: Pick<GolemParts, 'store' | 'client' | 'deployment'>,
  golem: GolemParts['id'],
): Promise<RunwayHealth | undefined> {
  const runway = await findRunway(context.store, golem)
  if (runway?.expiresAt === undefined) return undefined
  const { permissionId, token, expiresAt, grant } = runway
  const key = await activeKey(context.store, golem)
  const [day, revoked, isUsable, { timestamp }] = await Promise.all([
    runwayDay(context, golem, runway),
    isDisabled(context, grant),
    key ? canDraw(context, runway, key.address) : false,
    context.client.getBlock(),
  ])
  if (!day) return undefined
  const secondsLeft = BigInt(expiresAt) - timestamp
  const isDrawable = isUsable && secondsLeft > 0n
  const days = isDrawable ? secondsLeft / daySeconds : 0n
  const left = isDrawable && day.limit > day.spent ? day.limit - day.spent : 0n
  return {
    permissionId,
    token,
    health: permissionHealth({ revoked, dailyCap: day.limit, remainingToday: left, secondsLeft }),
    isDrawable,
    dailyCap: day.limit,
    remainingToday: left,
    totalRemaining: left + days * day.limit,
    daysRemaining: Number(days),
  }
}
