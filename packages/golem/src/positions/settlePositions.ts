import type { DeferredPosition, SettledPosition } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Death, DeathStepResult, Unwound } from '../state/death.ts'
import { readFamily } from '../state/storedFamily.ts'
import { canPayLater, findObstacle } from '../submission/findObstacle.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { closePosition } from './closePosition.ts'
import { type OpenedPosition, openedPositions } from './openedPositions.ts'

/**
 * Closes the positions that the Golem opened into the owner's account, within the signed limits. Each
 * position has its own
 * intent, so that a crash closes none twice. A position that is refused, or was opened under an earlier root
 * that the
 * current one does not cover, stays in the owner's account, with the reason. Tokens are not sold: with
 * delegation custody
 * they are already the owner's.
 */
export async function settlePositions(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
  death: Death,
  intentId: string,
): Promise<DeathStepResult> {
  const until = death.settleUntil * 1_000
  const isTimeUp = () => parts.clock.now() >= until
  const done = new Set(death.unwound.settled.map(({ id }) => id))
  const positions = (await openedPositions(parts, permission)).filter(({ id }) => !done.has(id))

  let redeemer: GolemSubmitter
  try {
    redeemer = await openSubmitter()
    const open = (await redeemer.submitter.recover()).filter(({ settlement }) => settlement === undefined)
    if (open.length > 0 && !isTimeUp()) return { kind: 'waiting' }
  } catch (error) {
    const because = findObstacle(error)
    if (because === undefined) throw error
    // The fee is too high at the moment.
    const payer = { key: permission.links[0].delegate, until: death.settleUntil }
    if (await canPayLater(parts, payer, error)) return { kind: 'waiting' }
    return { kind: 'impossible', because, unwound: deferring(positions, because) }
  }

  const settled: SettledPosition[] = []
  const deferred: DeferredPosition[] = []
  let slippageCostCents = 0n
  for (const position of positions) {
    const closed = await closePosition(
      { parts, permission, redeemer, until },
      position,
      `${intentId}:${position.id}`,
    )
    if (closed.type === 'onItsWay') {
      if (!isTimeUp()) return { kind: 'waiting' }
      deferred.push({
        id: position.id,
        reason: 'its transaction was not mined before the time for the settlement was over',
      })
    }
    if (closed.type === 'resting') {
      const { retryAfter } = closed.error
      if (!isTimeUp() && (await endsInTime(parts, retryAfter, until))) return { kind: 'waiting' }
      deferred.push({
        id: position.id,
        reason: `the signed minimum interval lasts until ${retryAfter}: the owner has to withdraw it`,
      })
    }
    if (closed.type === 'deferred') deferred.push({ id: position.id, reason: closed.reason })
    if (closed.type === 'settled') {
      settled.push(closed.position)
      slippageCostCents += closed.slippageCents
    }
  }
  // After this Golem has surrendered, the chain refuses everything below it: its children close their
  // positions first.
  if (!isTimeUp() && (await hasLivingChildren(parts))) return { kind: 'waiting' }
  return { kind: 'done', unwound: { settled, deferred, slippageCostCents } }
}

/**
 * Whether an interval that ends at a time of the chain is over before a time of this process's clock, in
 * milliseconds.
 */
async function endsInTime(
  { client, clock }: Pick<GolemParts, 'client' | 'clock'>,
  pauseEnd: string | undefined,
  until: number,
): Promise<boolean> {
  if (pauseEnd === undefined) return false
  const { timestamp } = await client.getBlock()
  return clock.now() + Date.parse(pauseEnd) - Number(timestamp) * 1_000 < until
}

async function hasLivingChildren({ id, store }: Pick<GolemParts, 'id' | 'store'>): Promise<boolean> {
  const { replicants } = await readFamily(store, id)
  const children = await Promise.all(replicants.map((child) => store.golems.find(child.id)))
  return children.some(
    (child) => child !== undefined && child.status !== 'dead' && child.status !== 'onboarding',
  )
}

function deferring(positions: readonly OpenedPosition[], reason: string): Unwound {
  return { settled: [], deferred: positions.map(({ id }) => ({ id, reason })), slippageCostCents: 0n }
}
