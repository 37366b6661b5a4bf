import { readConstitution } from '@bardo/chain'
import { leastOf } from '@bardo/core'
import { isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { ConstitutionRoom } from '../strategy/strategy.ts'
import { projectFlows } from './projectAction.ts'

const whole = 10_000n
const microsPerCent = 10_000n

/** What the signed constitution leaves now. Undefined without one, and if a price is missing: the guard then decides. */
export async function readConstitutionRoom(
  context: Pick<GolemParts, 'client' | 'deployment'>,
  permission: SignedPermission,
): Promise<ConstitutionRoom | undefined> {
  const { terms, plan } = permission
  if (terms.constitution === undefined) return undefined
  const [content, now] = await Promise.all([
    readConstitution(context, terms.constitution),
    projectFlows(context, permission, { isClosing: false }).catch(() => undefined),
  ])
  if (!content || !now?.portfolio) return undefined
  const { limits, assets } = content
  const { totalMicros, held, highestCents, nowCents } = now.portfolio
  const left = (limit: bigint, used: bigint) => (limit > used ? limit - used : 0n)
  // Rounded up: at this value nothing more may be lost.
  const floorCents = (highestCents * (whole - BigInt(limits.maxDrawdownBps)) + whole - 1n) / whole
  const buyable = plan.assets.flatMap((symbol, place) => {
    const token = terms.mandate.assets[place]?.token
    const rule = token && assets.find(({ asset }) => isAddressEqual(asset, token))
    if (!rule) return []
    const holds = held.find((one) => isAddressEqual(one.token, rule.asset))?.micros ?? 0n
    const most = (totalMicros * BigInt(rule.maxShareBps)) / whole
    const room = nowCents >= floorCents && most > holds ? (most - holds) / microsPerCent : 0n
    return [[symbol, room] as const]
  })
  return {
    leftCents: leastOf(
      limits.perTxCents,
      left(limits.perSessionCents, now.used.session),
      left(limits.perDayCents, now.used.day),
    ),
    buyCents: Object.fromEntries(buyable),
    depositCents: left(nowCents, floorCents),
  }
}
