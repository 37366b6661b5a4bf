import {
  type AddressBook,
  BardoError,
  type CageTerms,
  cage,
  compileStrategy,
  type Delegation,
  type Deployment,
  decodeContext,
  isSaltOf,
  type LiquidityRules,
  leastOf,
  type PermissionPlan,
  type PlanPair,
  type ReplicantLimits,
  readSignedPlan,
  readTerms,
} from '@bardo/core'
import type { Golem } from '@bardo/store'
import { actsByAccount } from '@bardo/wallets'
import { isAddressEqual } from 'viem'
import { readFamily } from '../state/storedFamily.ts'
import type { GolemParts } from './golemParts.ts'
import { localKeyTerms } from './localKeyTerms.ts'

/** The permission that an owner signed for a Golem, read from the signed bytes. */
export type SignedPermission = {
  readonly golem: Golem
  /** Leaf first. */
  readonly links: readonly [Delegation, ...Delegation[]]
  readonly terms: CageTerms
  readonly plan: PermissionPlan
  /** The signed addresses, under the names of the operator's address book. */
  readonly book: AddressBook
  /** The limits of its Replicants; undefined if the owner did not sign the class for them. */
  readonly replicants: ReplicantLimits | undefined
  /** How it manages liquidity, by the signed text. */
  readonly liquidity: LiquidityRules | undefined
  /** The sales that it makes only when it winds down, by the signed text. */
  readonly windDown: readonly PlanPair[]
  /** The Golem's own links: all of them, or for a child only its leaf below the parent's links. */
  readonly own: readonly Delegation[]
  /** How it acts: by the key's own transactions, or by a session account that the key signs for. */
  readonly actsBy: 'key' | 'account'
  /** Whether the stored strategy text is the signed one. If not, the Golem must not act. */
  readonly isStrategySigned: boolean
  /** Whether the Golem has had other keys: of a single key no transaction can return after a reorganisation. */
  readonly hasOtherKeys: boolean
}

/**
 * Loads a Golem's permission from the store. The limits are decoded from the signed bytes and never compiled
 * again: a newer
 * compiler or another address book changes nothing for a living Golem. The signed salt commits to the
 * strategy, so a
 * changed text in the database is detected: such a Golem can be read, revoked and killed, but does not act.
 */
export async function loadPermission({
  id,
  store,
  deployment,
  book: names,
}: Pick<GolemParts, 'id' | 'store' | 'deployment' | 'book'>): Promise<SignedPermission> {
  const [golem, delegations, keys] = await Promise.all([
    store.golems.find(id),
    store.delegations.list(id),
    store.sessionKeys.list(id),
  ])
  const key = keys.findLast(({ status }) => status === 'active')
  const activeRecords = delegations.filter(({ state }) => state === 'active')
  // During a rotation there may be two: the one of the active key counts.
  const isOwn = ({ delegation }: (typeof activeRecords)[number]) =>
    key !== undefined && isAddressEqual(delegation.delegate, key.address)
  const active = activeRecords.findLast(isOwn) ?? activeRecords.at(-1)
  if (!golem || !active) throw unusable('the store has no active delegation for this Golem')
  const links = decodeContext(active.context)
  const [leaf, ...above] = links
  const root = above.at(-1) ?? leaf
  if (!leaf || !root) throw unusable('its stored permission context is empty')
  const text = golem.strategy?.text
  const isStrategySigned = text !== undefined && isSaltOf(root.salt, text)
  // A child runs its parent's strategy, below the root that the owner signed for the parent.
  const { birth } = await readFamily(store, id)
  const signed =
    golem.custody === 'localKey'
      ? // A local key's plan is compiled within its signed limits; an unsigned text is replaced by an empty one.
        localKeyTerms(root, isStrategySigned ? text : '', deployment, names)
      : cageTermsOf(root, deployment)
  if (!signed) throw unusable('its root has none of the caveats that Bardo uses')
  if (signed.terms.golem.toLowerCase() !== (birth?.parent ?? id).toLowerCase())
    throw unusable('its root was signed for another Golem')
  if (!isAddressEqual(signed.terms.mandate.account, root.delegator))
    throw unusable('its root names another account than its delegator')
  // A child may have a narrower Cage of its own.
  const terms = (birth && cageTermsOf(leaf, deployment)?.terms) ?? signed.terms
  const { plan, book } = readSignedPlan(terms, names)
  return {
    golem,
    links: [leaf, ...above],
    terms,
    plan,
    book,
    ...signedRules(plan, isStrategySigned ? text : undefined),
    own: birth ? [leaf] : [leaf, ...above],
    actsBy: key && actsByAccount(key) ? 'account' : 'key',
    isStrategySigned,
    hasOtherKeys: keys.length > 1,
  }
}

/**
 * What the signed text says and a Cage has no field for: the limits of Replicants, how liquidity is managed, what is sold
 * only at the end. The root's salt commits to the text. These rules only narrow: whatever the text says, the chain holds
 * the Golem and every child to the root.
 */
function signedRules(
  { classes, dayCents, window }: PermissionPlan,
  text: string | undefined,
): Pick<SignedPermission, 'replicants' | 'liquidity' | 'windDown'> {
  const none = { replicants: undefined, liquidity: undefined, windDown: [] }
  const has = (name: PermissionPlan['classes'][number]) => classes.includes(name)
  if (text === undefined || !(has('spawn') || has('addLiquidity') || has('unwind'))) return none
  const { replicants, liquidity, windDown } = compileStrategy(text, { now: window.start })
  return {
    replicants:
      replicants && has('spawn')
        ? { ...replicants, dayCents: leastOf(replicants.dayCents, dayCents) }
        : undefined,
    liquidity,
    windDown,
  }
}

/** Throws if the stored strategy text is not the signed one. */
export function requireSignedStrategy({ golem, isStrategySigned }: SignedPermission): void {
  if (isStrategySigned) return
  throw new BardoError('The stored strategy differs from the one that the owner signed.', {
    code: 'CONFIG_INVALID',
    details: [`Golem ${golem.id}`, 'the text was changed in the database after the signature'],
    remedy: `Restore the text, sign the one you want with \`bardo adjust ${golem.id} STRATEGY.md\`, or end the Golem: bardo kill ${golem.id}`,
    docsPath: 'golem.md#the-runtime',
  })
}

/** The terms of a root's Cage; undefined if it has none. */
function cageTermsOf(
  { caveats }: Delegation,
  deployment: Deployment,
): { readonly terms: CageTerms } | undefined {
  const [terms] = caveats.flatMap((caveat) => readTerms(deployment, cage, caveat) ?? [])
  return terms && { terms }
}

function unusable(why: string): BardoError {
  return new BardoError('The Golem cannot start.', {
    code: 'CONFIG_INVALID',
    details: [why],
    remedy: 'Restore the database, or revoke the Golem’s delegation and summon it again.',
    docsPath: 'golem.md#the-runtime',
  })
}
