import { readState } from '@bardo/chain'
import {
  caveatRegistry,
  type Delegation,
  hashDelegation,
  type LedgerTransaction,
  leastOf,
  readCaveats,
  type Usage,
  usageOf,
} from '@bardo/core'
import type { LedgerState } from '@bardo/store'
import { dueEntries, withEntries } from '../ledger/dueEntries.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { Snapshot } from '../snapshot/readSnapshot.ts'
import type { Senses } from '../snapshot/tickPorts.ts'
import { type Family, ownDailyCents } from '../state/family.ts'
import { givenTo, readFamily, type StoredFamily } from '../state/storedFamily.ts'
import { economyAt } from './economyAt.ts'

/** The funds of a Golem, minus its children's shares, or its share of its parent's. */
export type Funding = {
  readonly economy: Senses['economy']
  readonly dailyCapCents: bigint
  readonly leftTodayCents: bigint
  /** Unix seconds: the signed window, or a child's own window within it. */
  readonly window: { readonly start: number; readonly end: number }
  /** Its ledger, and what is to be posted by time alone. */
  readonly ledger: LedgerView
  /** Whether its parent is dying or dead, and with it all delegations above. */
  readonly isOrphan: boolean
}

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'settings'>

/**
 * The funding at the time of the snapshot. For a Golem without a family it reads the store once.
 *
 * @param granted - the rest of the owner's ERC-7715 grants, if there are any
 */
export async function readFunding(
  context: Context,
  permission: SignedPermission,
  { at, day, leftOfTotalsCents }: Pick<Snapshot, 'at' | 'day' | 'leftOfTotalsCents'>,
  granted?: bigint,
): Promise<Funding> {
  const { id, store, settings } = context
  const family = await readFamily(store, id)
  const { birth, replicants } = family
  const window = birth ?? permission.terms
  const given = givenTo(family)
  const ledger = await readLedger(context, permission, { at: Number(at), window, birth })
  const ofDay = atLeastZero(day.limit - day.spent)
  const left = leftOfTotalsCents === undefined ? ofDay : leastOf(ofDay, leftOfTotalsCents)
  return {
    economy: economyAt(withEntries(ledger.state, ledger.due), settings.economy.dayPrices, Number(at), {
      given,
      ...(granted !== undefined && { granted: atLeastZero(granted - given) }),
    }),
    ledger,
    dailyCapCents: leastOf(day.limit, ownDailyCents(familyOf(permission, family), at)),
    leftTodayCents: birth
      ? leastOf(left, await leftOfLife(context, permission))
      : replicants.length > 0
        ? leastOf(left, await leftOfOwnDay(context, permission, family, { at, day }))
        : left,
    window: { start: window.start, end: window.end },
    isOrphan: birth !== undefined && (await store.golemStates.find(birth.parent))?.death !== undefined,
  }
}

/** A ledger, and the entries that are due by time alone. */
type LedgerView = { readonly state: LedgerState; readonly due: readonly LedgerTransaction[] }

/** The ledger at a time in Unix seconds. It reads the store once, together with all other Golems of the moment. */
async function readLedger(
  { id, store, settings }: Context,
  { own, links }: SignedPermission,
  {
    at,
    window,
    birth,
  }: {
    readonly at: number
    readonly window: { readonly start: number }
    readonly birth: StoredFamily['birth']
  },
): Promise<LedgerView> {
  const state = await store.ledger.state(id)
  const living = {
    root: hashDelegation(own.at(-1) ?? links[0]),
    start: window.start,
    runwayCents: birth?.runwayCents ?? settings.economy.runwayCents,
    prices: settings.economy.dayPrices,
  }
  return { state, due: dueEntries(state, living, at) }
}

/** A stored family with the limits that the owner signed for it. */
export function familyOf({ terms }: Pick<SignedPermission, 'terms'>, { replicants }: StoredFamily): Family {
  return { dailyCapCents: terms.dayCents, windowEnd: BigInt(terms.end), replicants }
}

/** The rest of a child's lifetime budget. */
async function leftOfLife(context: Context, { links }: SignedPermission): Promise<bigint> {
  const usages = await usagesOf(context, links.slice(0, 1))
  const lifetimeUsages = usages.filter(({ unit, renews }) => unit === 'usdCents' && !renews)
  return lifetimeUsages.reduce(
    (least, { spent, limit }) => leastOf(least, atLeastZero(limit - spent)),
    1n << 64n,
  )
}

/** The rest of a parent's own day: the shares belong to its children, used or not. */
async function leftOfOwnDay(
  context: Context,
  permission: SignedPermission,
  family: StoredFamily,
  { at, day }: Pick<Snapshot, 'at' | 'day'>,
): Promise<bigint> {
  const records = await Promise.all(family.replicants.map(({ id }) => context.store.delegations.list(id)))
  const usages = await usagesOf(
    context,
    records.flatMap((list) => list.map(({ delegation }) => delegation)),
  )
  const byChildren = usages
    .filter(({ unit, renews }) => unit === 'usdCents' && renews)
    .reduce((sum, { spent }) => sum + spent, 0n)
  const own = ownDailyCents(familyOf(permission, family), at)
  return atLeastZero(own - atLeastZero(day.spent - byChildren))
}

/** The usage of delegations, read from the chain. */
export async function usagesOf(
  { client, deployment }: Pick<Context, 'client' | 'deployment'>,
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
