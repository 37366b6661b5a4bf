import { readDelegationTree, readState } from '@bardo/chain'
import {
  anyDelegate,
  caveatRegistry,
  type Delegation,
  decodeContext,
  exposure,
  hashDelegation,
  isRoot,
  type Price,
  priceOf,
  priceReads,
  readCaveats,
  usageOf,
} from '@bardo/core'
import { knownGrants, readShared } from '@bardo/golem'
import { findRunway } from '@bardo/golem/funding'
import { onlySigned } from '@bardo/golem/requests'
import type { Golem } from '@bardo/store'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { Context } from '../context/openContext.ts'
import { printable } from '../terminal/printable.ts'
import { type ExposureJson, exposureJson } from '../text/exposureJson.ts'
import { everyGolem } from './everyGolem.ts'
import type { PlannedPermission } from './plannedExposure.ts'

/** A Golem's use of its daily limit, in cents. */
export type GolemSpending = {
  readonly golem: Hex
  readonly name: string
  /** Null if its delegation has no daily limit in dollars. */
  readonly spentCents: string | null
  readonly limitCents: string | null
  /** Whether it is alive, dying, or not started yet. */
  readonly status: Golem['status']
  /** The Golem whose budget contains this one; null for a Golem that the owner signed for. */
  readonly within: string | null
  /** With its own keys only. */
  readonly exposure: ExposureJson
}

/**
 * The Golems of an owner with what each has spent, and what can leave under all of their permissions together: also under
 * those that they gave to other Golems.
 *
 * @param only - counts these keys only. Default: all keys
 */
export async function ownerExposure(
  context: Pick<Context, 'store' | 'chain'>,
  owner: Address,
  only?: readonly Address[],
): Promise<{ readonly golems: readonly GolemSpending[]; readonly exposure: ExposureJson }> {
  const { store, chain } = context
  const { client, deployment } = chain
  const registry = caveatRegistry(deployment)
  const manager = deployment.framework.DelegationManager
  const signed = await signedBy(store, chain, owner)
  const permissions = await Promise.all(
    groupByGiver(signed.flatMap(({ all, given }) => [...all, ...given])).map((delegations) =>
      readDelegationTree(client, deployment, delegations),
    ),
  )
  const prices = await readPrices(chain)
  const exposureOf = (keys?: readonly Address[]) =>
    exposureJson(exposure({ permissions, registry, prices, own: [owner], ...(keys && { keys }) }))
  // A runway's grant names the owner's account, which is not a key.
  const isKey = (address: Address) => !permissions.some(({ tree }) => isAddressEqual(tree.root, address))
  const states = new Map(
    permissions.flatMap(({ tree, facts }) =>
      [...tree.nodes.keys()].map((hash) => [hash, facts.state] as const),
    ),
  )
  return {
    golems: inFamilyOrder(
      signed.map(({ golem, links, all }) => {
        const used = links.flatMap((delegation) => {
          const hash = hashDelegation(delegation)
          const state = states.get(hash)
          const caveats = state ? readCaveats({ hash, delegation }, registry, manager) : []
          return caveats.flatMap((caveat) => (caveat && state ? usageOf(caveat, state) : []))
        })
        // The leaf comes first: a child's own limit before its parent's.
        const day = used.find(
          ({ unit, renews, periodSeconds }) => unit === 'usdCents' && renews && !periodSeconds,
        )
        // A child's permission continues its parent's.
        const above = links[1]?.signature
        const parent = signed.find((other) => above !== undefined && other.links[0]?.signature === above)
        return {
          golem: golem.id,
          name: printable(golem.name),
          status: golem.status,
          spentCents: day ? `${day.spent}` : null,
          limitCents: day ? `${day.limit}` : null,
          within: parent ? printable(parent.golem.name) : null,
          // A child's permission names the keys of its parent too, which it does not have.
          exposure: exposureOf(
            (parent ? links.slice(0, 1) : all).map(({ delegate }) => delegate).filter(isKey),
          ),
        }
      }),
    ),
    exposure: exposureOf(only),
  }
}

/** What would be signed, and the root that it replaces. */
export type PlannedSignature = {
  readonly planned: PlannedPermission
  readonly replaces?: Hex | undefined
}

/**
 * What can leave under everything that an owner has signed on this chain (every Golem, runway, gas draw and further key),
 * and under what they are about to sign.
 */
export async function togetherWith(
  context: Pick<Context, 'store' | 'chain'>,
  owner: Address,
  { planned, replaces }: PlannedSignature,
): Promise<ExposureJson> {
  const { store, chain } = context
  const { client, deployment } = chain
  const signed = await signedBy(store, chain, owner)
  // What is below the replaced root ends with it.
  const rest = signed
    .flatMap(({ all, given }) => [...all, ...given])
    .filter((delegation) => hashDelegation(delegation) !== replaces)
  const permissions = await Promise.all(
    groupByGiver(rest).map((delegations) => readDelegationTree(client, deployment, delegations)),
  )
  const known = caveatRegistry(deployment)
  const prices = new Map([...planned.prices, ...(await readPrices(chain))])
  return exposureJson(
    exposure({
      permissions: [planned.permission, ...permissions],
      registry: (enforcer) => known(enforcer) ?? planned.registry(enforcer),
      prices,
      own: [owner],
    }),
  )
}

/** Everything that an owner has signed for each of their Golems that is not dead. */
async function signedBy(store: Context['store'], chain: Context['chain'], owner: Address) {
  const living = (await everyGolem(store)).filter(
    (golem) => golem.status !== 'dead' && isAddressEqual(golem.owner, owner),
  )
  return Promise.all(living.map((golem) => signedFor(store, chain, golem)))
}

/** Golems that the owner signed for, by name, each followed by its own Replicants. */
function inFamilyOrder(golems: readonly GolemSpending[]): readonly GolemSpending[] {
  const byName = golems.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  const below = (within: string | null): readonly GolemSpending[] =>
    byName.filter((golem) => golem.within === within).flatMap((golem) => [golem, ...below(golem.name)])
  return below(null)
}

/** Everything that was signed for a Golem, and the links of its current permission, leaf first. */
async function signedFor(store: Context['store'], chain: Context['chain'], golem: Golem) {
  const [grants, shared, records, runway] = await Promise.all([
    knownGrants(store, golem.id),
    readShared(store, golem.id, 'given'),
    store.delegations.list(golem.id),
    findRunway(store, golem.id),
  ])
  const active = records.findLast(({ state }) => state === 'active')
  const links: readonly Delegation[] = active ? decodeContext(active.context) : []
  const stored = [...grants.map(({ delegation }) => delegation), ...links, ...(runway?.handedOn ?? [])]
  // A delegation hangs below the links of the time at which it was given.
  const given = shared.flatMap((one) => one.links)
  const signed = new Set(await onlySigned(chain, [...new Set([...stored, ...given])]))
  const isSigned = (delegation: Delegation) => signed.has(delegation)
  return {
    golem,
    // Without one of its links a permission cannot be redeemed.
    links: links.every(isSigned) ? links : [],
    all: stored.filter(isSigned),
    given: given.filter(isSigned),
  }
}

/**
 * The delegations of each account that gives, each once. One whose parent is missing, or names another delegate, cannot be
 * redeemed.
 */
function groupByGiver(delegations: readonly Delegation[]): readonly (readonly Delegation[])[] {
  const byHash = new Map(delegations.map((delegation) => [hashDelegation(delegation), delegation]))
  const giverOf = (delegation: Delegation): Address | undefined => {
    let link = delegation
    for (let steps = 0; !isRoot(link) && steps < byHash.size; steps += 1) {
      const above = byHash.get(link.authority)
      if (!above || !mayFollow(above, link)) return undefined
      link = above
    }
    return isRoot(link) ? link.delegator : undefined
  }
  const groups = new Map<string, Delegation[]>()
  for (const delegation of byHash.values()) {
    const giver = giverOf(delegation)?.toLowerCase()
    if (giver === undefined) continue
    groups.set(giver, [...(groups.get(giver) ?? []), delegation])
  }
  return [...groups.values()]
}

function mayFollow(above: Delegation, link: Delegation): boolean {
  return isAddressEqual(above.delegate, anyDelegate) || isAddressEqual(above.delegate, link.delegator)
}

/** Prices by the feeds of the address book. A stale feed gives no price. */
export async function readPrices({
  client,
  deployment,
  book,
}: Context['chain']): Promise<ReadonlyMap<string, Price>> {
  const state = await readState(client, deployment, priceReads(book.assets.values()))
  const priced = [...book.assets].flatMap(([symbol, asset]) => {
    const price = priceOf(state, asset)
    return price === undefined
      ? []
      : [{ symbol, token: asset.token, quote: { price, unit: 10n ** BigInt(asset.scale) } }]
  })
  const native = priced.find(
    ({ symbol }) => symbol === (deployment.chainId === celoChainId ? 'CELO' : 'WETH'),
  )
  return new Map([
    ...priced.map(({ token, quote }) => [token.toLowerCase(), quote] as const),
    ...(native ? [[zeroAddress, native.quote] as const] : []),
  ])
}

const celoChainId = 42_220
