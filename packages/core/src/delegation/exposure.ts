import type { Address, Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import { centsUp, type Quote } from '../caveats/measure/prices.ts'
import { anyDelegate } from './delegation.ts'
import { type FlowFacts, flowOf, type Permission, type Uncounted } from './exposure/flowOf.ts'
import { type Assumption, type LossCause, mergeFlows } from './exposure/mergeFlows.ts'
import { isUnread, readRules } from './exposure/readRules.ts'
import type { RevocationFacts } from './revocationState.ts'
import type { DelegationNode, DelegationTree } from './tree.ts'
import { type ReadCaveat, readCaveats } from './usage.ts'

export type { Assumption, LossCause, Uncounted }

/** A price and its divisor: amount × price / `unit` is dollars. */
export type Price = Quote

/** A sum of money, in cents, rounded up. */
export type Sum =
  | { readonly type: 'bounded'; readonly cents: bigint }
  /** There is no number. Each reason names a delegation. */
  | { readonly type: 'unbounded'; readonly because: readonly string[] }

/** What can happen to the owner's money under everything that is signed. */
export type Exposure = {
  /** The most that can leave in the next 24 hours. */
  readonly day: Sum
  /** The most that can leave until the last permission ends. */
  readonly end: Sum
  /** The last second of the last permission; undefined if one has no end, or if there is none. */
  readonly endsAt: bigint | undefined
  /** A thief with the keys, in the next 24 hours: the owner's loss at the given prices. */
  readonly haul: {
    /** If nothing that is assumed is the thief's. */
    readonly loss: Sum
    /** If everything that is assumed is the thief's: a payee, a signed contract. */
    readonly worst: Sum
    readonly causes: readonly LossCause[]
    readonly assumes: readonly Assumption[]
  }
  /** What the sums leave out. */
  readonly uncounted: readonly Uncounted[]
}

/** The inputs of {@link exposure}. Chain state, time and prices are arguments. */
export type ExposureInput = {
  /** Everything that is signed, one tree for each account that gives. The time is that of the first tree's state. */
  readonly permissions: readonly { readonly tree: DelegationTree; readonly facts: RevocationFacts }[]
  readonly registry: Registry
  /** By token in lower case; the zero address is the native currency. */
  readonly prices: ReadonlyMap<string, Price>
  /** The keys that act, or that the thief holds. Default: every delegate that is not the owner's. */
  readonly keys?: readonly Address[]
  /** Addresses of the owner, besides the accounts that give: what arrives there is not lost. */
  readonly own?: readonly Address[]
}

const daySeconds = 86_400n

/**
 * The most that can leave the owner's accounts in the next 24 hours and until everything signed has ended, and
 * the most that a thief of the keys can make the owner lose. Permissions that share a budget count once.
 *
 * The sums are upper limits: a caveat that is not understood counts as if it were not there, and a limit whose
 * use was not read counts as unused.
 *
 * @example
 * const { day, haul } = exposure({ permissions: [{ tree, facts }], registry, prices })
 * day.type === 'bounded' && day.cents // 5_000n
 */
export function exposure(input: ExposureInput): Exposure {
  const { permissions, registry, prices } = input
  const own = new Set(
    [...permissions.map(({ tree }) => tree.root), ...(input.own ?? [])].map((one) => one.toLowerCase()),
  )
  const held = input.keys && new Set(input.keys.map((key) => key.toLowerCase()))
  const keys = held ?? delegatesOf(permissions)
  const isOwn = (address: Address) => own.has(address.toLowerCase())
  const facts: FlowFacts = { prices, isOwn, isKey: (address) => keys.has(address.toLowerCase()) }
  const found = permissions.flatMap((permission) => usableIn(permission, registry, held, own))
  const usable = [...new Map(found.map((one) => [one.hash, one])).values()]
  const now = permissions[0]?.facts.state.timestamp ?? 0n
  const inADay = usable.map((one) => ({ ...one, ...flowOf(one.permission, facts, now + daySeconds - 1n) }))
  const toTheEnd = usable.map((one) => ({ ...one, ...flowOf(one.permission, facts, undefined) }))
  const day = mergeFlows(inADay.map(({ flow }) => flow))
  const theft = mergeFlows(inADay.map((one) => one.theft))
  const end = mergeFlows(toTheEnd.map(({ flow }) => flow))
  const ends = usable.flatMap(({ permission }) => permission.last ?? [])
  return {
    day: sumOf(day.out, inADay),
    end: sumOf(end.out, toTheEnd),
    endsAt: ends.length < usable.length ? undefined : ends.toSorted(ascending).at(-1),
    haul: {
      loss: sumOf(theft.loss, inADay),
      worst: sumOf(theft.worst, inADay),
      causes: [
        ...unique(inADay.flatMap((one) => one.theft.causes)),
        ...(theft.shares > 0n ? [{ type: 'shares', cents: centsUp(theft.shares) } as const] : []),
      ],
      assumes: unique(inADay.flatMap((one) => one.theft.assumes)),
    },
    uncounted: unique(inADay.flatMap((one) => [...one.uncounted, ...one.unread])),
  }
}

type Usable = {
  readonly hash: Hex
  readonly permission: Permission
  readonly unread: readonly Uncounted[]
}

/**
 * The delegations that the keys can redeem. One below another is left out: every limit of the upper one counts
 * what the lower one spends.
 */
function usableIn(
  { tree, facts }: ExposureInput['permissions'][number],
  registry: Registry,
  held: ReadonlySet<string> | undefined,
  own: ReadonlySet<string>,
): readonly Usable[] {
  const { manager, state, disabled } = facts
  /** Every live node: its caveats and those above, and whether a node at or above it can be redeemed. */
  const live = new Map<Hex, Reached>()
  const usable: Usable[] = []
  for (const node of tree.nodes.values()) {
    const above = node.parent === undefined ? topmost : live.get(node.parent)
    if (!above || disabled.has(node.hash)) continue
    const reached = reach(node, above)
    if (reached.last !== undefined && reached.last < state.timestamp) continue
    const rules = reached.caveats.map((caveat) => readRules(caveat, state))
    const isTaken = above.isTaken || canRedeem(node, rules)
    live.set(node.hash, { ...reached, isTaken })
    if (!isTaken || above.isTaken) continue
    usable.push({
      hash: node.hash,
      permission: { rules, last: reached.last },
      unread: reached.caveats
        .filter((caveat) => isUnread(caveat, state))
        .map(({ kind, row }) => ({ type: 'usage', caveat: kind.name, delegation: row.delegationHash })),
    })
  }
  return usable

  function reach(node: DelegationNode, above: Reached): Reached {
    const caveats = readCaveats(node, registry, manager).flatMap((caveat) => caveat ?? [])
    const ends = caveats.flatMap(({ kind, terms }) => kind.window?.(terms)?.last ?? [])
    const last = [...ends, ...(above.last === undefined ? [] : [above.last])].sort(ascending)[0]
    return {
      caveats: [...above.caveats, ...caveats],
      last,
      isTaken: above.isTaken,
    }
  }

  function canRedeem({ delegation }: DelegationNode, rules: Permission['rules']): boolean {
    const delegate = delegation.delegate.toLowerCase()
    const named = rules.flatMap(({ redeemers }) => (redeemers ? [redeemers] : []))
    const isNamed = (key: string) => named.every((list) => list.some((one) => one.toLowerCase() === key))
    if (delegate !== anyDelegate) return isNamed(delegate) && (held ? held.has(delegate) : !own.has(delegate))
    return held ? [...held].some(isNamed) : true
  }
}

type Reached = {
  readonly caveats: readonly ReadCaveat[]
  readonly last: bigint | undefined
  readonly isTaken: boolean
}

const topmost: Reached = { caveats: [], last: undefined, isTaken: false }

function sumOf(
  micros: bigint | undefined,
  flows: readonly { readonly hash: Hex; readonly because: string | undefined }[],
): Sum {
  if (micros !== undefined) return { type: 'bounded', cents: centsUp(micros) }
  const because = flows.flatMap(({ hash, because: why }) => (why === undefined ? [] : [`${hash}: ${why}`]))
  return { type: 'unbounded', because }
}

function delegatesOf(permissions: ExposureInput['permissions']): ReadonlySet<string> {
  const nodes = permissions.flatMap(({ tree }) => [...tree.nodes.values()])
  return new Set(nodes.map(({ delegation }) => delegation.delegate.toLowerCase()))
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function unique<Item extends object | string>(items: readonly Item[]): readonly Item[] {
  const textOf = (item: Item) =>
    JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  return [...new Map(items.map((item) => [textOf(item), item])).values()]
}
