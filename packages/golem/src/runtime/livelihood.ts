import { caveatRegistry, readState } from '@bardo/chain'
import { type Delegation, hashDelegation, leastOf, readCaveats, type Usage, usageOf } from '@bardo/core'
import type { Senses } from '../heartbeat/tickPorts.ts'
import { type Family, ownDailyCents } from '../replicants/family.ts'
import type { Charter } from './charter.ts'
import { economyAt } from './economyAt.ts'
import type { GolemParts } from './golemParts.ts'
import type { WorldSeen } from './readWorld.ts'
import { givenTo, readFamily, type StoredFamily } from './storedFamily.ts'

/** What a Golem lives on, after what it gave to its children, or by what its parent gave to it. */
export type Livelihood = {
  readonly economy: Senses['economy']
  readonly dailyCapCents: bigint
  readonly leftTodayCents: bigint
  /** Unix seconds: the signed window, or a child's own time within it. */
  readonly window: { readonly start: number; readonly end: number }
  /** Its parent is dying or dead, and with it all that stands above it. */
  readonly isOrphan: boolean
}

type Place = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'settings'>

/**
 * The livelihood at the moment that was seen. A Golem without a family costs one look into the store.
 *
 * @param granted - what the owner's ERC-7715 grants still give, where there are any
 */
export async function livelihood(
  place: Place,
  charter: Charter,
  { at, day }: Pick<WorldSeen, 'at' | 'day'>,
  granted?: bigint,
): Promise<Livelihood> {
  const { id, store, settings } = place
  const family = await readFamily(store, id)
  const { birth, replicants } = family
  const window = birth ?? charter.terms
  const given = givenTo(family)
  const runwayCents = (birth?.runwayCents ?? settings.economy.runwayCents) - given
  const left = atLeastZero(day.limit - day.spent)
  return {
    economy: economyAt(
      { ...settings.economy, runwayCents },
      at - BigInt(window.start),
      granted === undefined ? undefined : atLeastZero(granted - given),
    ),
    dailyCapCents: leastOf(day.limit, ownDailyCents(familyOf(charter, family), at)),
    leftTodayCents: birth
      ? leastOf(left, await leftOfLife(place, charter))
      : replicants.length > 0
        ? leastOf(left, await leftOfOwnDay(place, charter, family, { at, day }))
        : left,
    window: { start: window.start, end: window.end },
    isOrphan: birth !== undefined && (await store.lives.find(birth.parent))?.death !== undefined,
  }
}

/** A stored family with what the owner signed for it. */
export function familyOf({ terms }: Pick<Charter, 'terms'>, { replicants }: StoredFamily): Family {
  return { dailyCapCents: terms.dayCents, windowEnd: BigInt(terms.end), replicants }
}

/** What a child has left of its budget for life. */
async function leftOfLife(place: Place, { links }: Charter): Promise<bigint> {
  const usages = await usagesOf(place, links.slice(0, 1))
  const lives = usages.filter(({ unit, renews }) => unit === 'usdCents' && !renews)
  return lives.reduce((least, { spent, limit }) => leastOf(least, atLeastZero(limit - spent)), 1n << 64n)
}

/** What a parent has left of its own day: the shares are its children's, whether they use them or not. */
async function leftOfOwnDay(
  place: Place,
  charter: Charter,
  family: StoredFamily,
  { at, day }: Pick<WorldSeen, 'at' | 'day'>,
): Promise<bigint> {
  const records = await Promise.all(family.replicants.map(({ id }) => place.store.delegations.list(id)))
  const usages = await usagesOf(
    place,
    records.flatMap((list) => list.map(({ delegation }) => delegation)),
  )
  const byChildren = usages
    .filter(({ unit, renews }) => unit === 'usdCents' && renews)
    .reduce((sum, { spent }) => sum + spent, 0n)
  const own = ownDailyCents(familyOf(charter, family), at)
  return atLeastZero(own - atLeastZero(day.spent - byChildren))
}

/** What of some delegations is used, by the chain. */
export async function usagesOf(
  { client, deployment }: Pick<Place, 'client' | 'deployment'>,
  delegations: readonly Delegation[],
): Promise<readonly Usage[]> {
  const manager = deployment.framework.DelegationManager
  const caveats = delegations.flatMap((delegation) =>
    readCaveats(
      { hash: hashDelegation(delegation), delegation },
      caveatRegistry(deployment),
      manager,
    ).flatMap((read) => read ?? []),
  )
  const reads = caveats.flatMap(({ kind, terms, row }) => kind.usageReads?.(terms, row) ?? [])
  const state = await readState(client, deployment, reads)
  return caveats.flatMap((caveat) => usageOf(caveat, state))
}

const atLeastZero = (cents: bigint) => (cents > 0n ? cents : 0n)
