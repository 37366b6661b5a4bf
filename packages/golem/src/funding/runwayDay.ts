import { hashDelegation, leastOf, type Usage } from '@bardo/core'
import { type Hash, isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import { readFamily } from '../state/storedFamily.ts'
import { usagesOf } from './readFunding.ts'
import { findRunway, type StoredRunway } from './storedRunway.ts'

type Context = Pick<GolemParts, 'store' | 'client' | 'deployment'>

/** A Golem's own part of today's runway, in base units. */
export type RunwayDay = { readonly spent: bigint; readonly limit: bigint }

/**
 * Today's runway of a Golem, from the signed bytes and the chain: the grant minus the shares of its living children;
 * for a child its own share, and no more than is left of the grant. Undefined if the grant has no daily limit.
 */
export async function runwayDay(
  context: Context,
  golem: Hash,
  runway: Pick<StoredRunway, 'permissionId' | 'token' | 'grant' | 'handedOn'>,
): Promise<RunwayDay | undefined> {
  const { grant, handedOn, permissionId } = runway
  const [whole] = await daysOf([grant])
  if (!whole) return undefined
  const { birth, replicants } = await readFamily(context.store, golem)
  if (birth) {
    const [share] = await daysOf(handedOn)
    if (!share) return undefined
    const left = whole.limit > whole.spent ? whole.limit - whole.spent : 0n
    return { spent: share.spent, limit: leastOf(share.limit, share.spent + left) }
  }
  const { timestamp } = await context.client.getBlock()
  const living = replicants.filter(({ status, expiresAt }) => status !== 'ended' && timestamp <= expiresAt)
  const theirs = await Promise.all(living.map(({ id }) => findRunway(context.store, id)))
  // A child's share of an earlier runway is not a part of this one.
  const links = theirs.flatMap((one) => (one?.permissionId === permissionId ? one.handedOn.slice(-1) : []))
  const shares = await daysOf(links)
  const sum = (of: (day: RunwayDay) => bigint) => shares.reduce((total, day) => total + of(day), 0n)
  return {
    spent: atLeastZero(whole.spent - sum(({ spent }) => spent)),
    limit: atLeastZero(whole.limit - sum(({ limit }) => limit)),
  }

  /** The daily limits of links that have one. */
  async function daysOf(links: StoredRunway['handedOn']): Promise<readonly Usage[]> {
    const unique = [...new Map(links.map((link) => [hashDelegation(link), link])).values()]
    const usages = await usagesOf(context, unique)
    return usages.filter(({ unit, renews }) => renews && isToken(unit))
  }

  function isToken(unit: string): boolean {
    return /^0x[0-9a-f]{40}$/i.test(unit) && isAddressEqual(`0x${unit.slice(2)}`, runway.token)
  }
}

const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n)
