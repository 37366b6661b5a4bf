import {
  BardoError,
  type CageTerms,
  cage,
  compileStrategy,
  type Delegation,
  decodeContext,
  type PermissionPlan,
  toCageTerms,
} from '@bardo/core'
import type { Golem } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { activeKey } from './activeKey.ts'
import type { GolemParts } from './golemParts.ts'
import { localKeyTerms } from './localKeyTerms.ts'
import { readFamily } from './storedFamily.ts'

/** What an owner signed for a Golem, and the plan that it came from. */
export type Charter = {
  readonly golem: Golem
  /** Leaf first. */
  readonly links: readonly [Delegation, ...Delegation[]]
  readonly terms: CageTerms
  readonly plan: PermissionPlan
  /** The links that are this Golem's own: all, or a child's one, below those of its parent. */
  readonly own: readonly Delegation[]
}

/**
 * Reads a Golem's charter out of the store. The plan is made again from the stored strategy and has to come out as the
 * very terms that were signed: whoever changed the one or the other in the database is found before anything is done.
 */
export async function loadCharter({
  id,
  store,
  deployment,
  book,
}: Pick<GolemParts, 'id' | 'store' | 'deployment' | 'book'>): Promise<Charter> {
  const [golem, delegations, key] = await Promise.all([
    store.golems.find(id),
    store.delegations.list(id),
    activeKey(store, id),
  ])
  const standing = delegations.filter(({ state }) => state === 'active')
  // While a key is replaced there may be two: the one of the key in use counts.
  const own = ({ delegation }: (typeof standing)[number]) =>
    key !== undefined && isAddressEqual(delegation.delegate, key.address)
  const active = standing.findLast(own) ?? standing.at(-1)
  if (!golem?.strategy || !active) throw unusable('there is no Golem with a strategy and a signed delegation')
  const links = decodeContext(active.context)
  const [leaf, ...above] = links
  const root = above.at(-1) ?? leaf
  if (!leaf || !root) throw unusable('its delegation is empty')
  if (golem.custody === 'localKey') {
    const signed = localKeyTerms(root, golem.strategy.text, { id, deployment, book })
    if (!signed) throw unusable('its root is not that of a local key with this strategy')
    return { golem, links: [leaf, ...above], ...signed, own: [leaf, ...above] }
  }
  const caveat = root.caveats.find(({ enforcer }) =>
    isAddressEqual(enforcer, deployment.contracts.cageEnforcer),
  )
  if (!caveat) throw unusable('its root holds no Cage')
  const terms = cage.decode(caveat.terms)
  const { plan } = compileStrategy(golem.strategy.text, {
    now: BigInt(terms.start),
    symbols: [...book.assets.keys()],
  })
  // A child lives by its parent's strategy, below the root that the owner signed for the parent.
  const { birth } = await readFamily(store, id)
  const subject = {
    golem: birth?.parent ?? id,
    account: terms.mandate.account,
    graceSeconds: terms.graceSeconds,
  }
  if (cage.encode({ ...toCageTerms(plan, book, subject), ...constitutionOf(terms) }) !== caveat.terms)
    throw unusable('its strategy is not the one that the owner signed for')
  return { golem, links: [leaf, ...above], terms, plan, own: birth ? [leaf] : [leaf, ...above] }
}

/** The one part of the terms that no strategy speaks of. */
function constitutionOf({ constitution }: CageTerms): Pick<CageTerms, 'constitution'> {
  return constitution === undefined ? {} : { constitution }
}

function unusable(why: string): BardoError {
  return new BardoError('The Golem cannot be started.', {
    code: 'CONFIG_INVALID',
    details: [why],
    remedy: 'Ask the owner to sign for the strategy as it is now.',
    docsPath: 'golem.md#the-runtime',
  })
}
