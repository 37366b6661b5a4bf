import {
  BardoError,
  buildTree,
  type CageTerms,
  cage,
  caveatRegistry,
  crossGolemDelegation,
  type Delegation,
  delegationTypedData,
  encodeContext,
  findWidenings,
  hashDelegation,
  type Method,
  metamaskKinds,
  methodsOfPart,
  readTerms,
} from '@bardo/core'
import { type Address, type Hash, type Hex, isAddressEqual, keccak256, stringToHex } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { requireLastingSignature } from '../permission/requireLastingSignature.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { targetNamed } from '../permission/targetNamed.ts'
import { requireNotDying } from '../state/death.ts'
import { readStoredDeath } from '../state/storedState.ts'
import { type GivenType, writeShared } from './storedDelegations.ts'

/** What one Golem delegates to another. */
export type DelegationGift = {
  /** The key of the receiving Golem. */
  readonly to: Address
  /** How to show the receiver. */
  readonly name: string
  readonly type: GivenType
  /** The most that the receiver spends under it, in total. */
  readonly budgetCents: bigint
  readonly lifespanSeconds: number
  /** A part of the giver's methods. Default: all of them. */
  readonly methods?: readonly Method[]
  /**
   * A part of the giver's contracts: addresses, or names such as `swapRouter02` and `vault USDC`. Default: all that the
   * methods need.
   */
  readonly targets?: readonly string[]
  /** k of n keys that co-sign every action of the receiver. */
  readonly coSigners?: { readonly threshold: number; readonly keys: readonly Address[] }
  readonly calls: number
}

/** A delegation that a Golem's key signed for another Golem. */
export type GivenDelegation = {
  readonly hash: Hash
  /** The signed delegations, leaf first: the receiver redeems with these bytes. */
  readonly context: Hex
  readonly endsAt: number
}

/**
 * Delegates a part of a Golem's permission to another Golem. The giver's key signs: no limit gets wider, so the
 * owner signs nothing. The delegation is stored before it is returned.
 */
export async function giveDelegation(
  parts: GolemParts,
  permission: SignedPermission,
  gift: DelegationGift,
): Promise<GivenDelegation> {
  const { id, store, client, deployment, keys } = parts
  const { links } = permission
  const death = async () => readStoredDeath((await store.golemStates.find(id))?.death)
  requireLastingSignature(permission)
  requireNotDying(await death())
  requireUseful(gift, links[0].delegate)
  const { enforcer: cageEnforcer, terms } = cageIn(links, deployment)
  requireRedelegable(links, parts)
  const { timestamp } = await client.getBlock()
  const born = Number(timestamp)
  const targets = gift.targets?.map((name) => targetNamed(permission, name))
  const salt = BigInt(keccak256(stringToHex(crypto.randomUUID()))) >> 64n
  const unsigned = crossGolemDelegation({
    type: gift.type,
    parent: links[0],
    above: links.slice(1),
    // Each gift has its own budget row: a second gift to the same Golem does not use up the first.
    child: { golem: keccak256(stringToHex(`${id}:${gift.to}:${salt}`)), key: gift.to },
    budgetCents: gift.type === 'act' ? gift.budgetCents : 0n,
    born,
    lifespanSeconds: gift.lifespanSeconds,
    methods: gift.type === 'act' ? methodsOfPart(terms, { methods: gift.methods, targets }) : [],
    calls: gift.calls,
    ...(targets && { targets }),
    ...(gift.coSigners && { coSigners: gift.coSigners }),
    isFinal: true,
    enforcers: {
      cageEnforcer,
      replicantBudgetEnforcer: deployment.contracts.replicantBudgetEnforcer,
      limitedCallsEnforcer: metamaskEnforcer('LimitedCallsEnforcer'),
      redeemerEnforcer: metamaskEnforcer('RedeemerEnforcer'),
      thresholdEnforcer: deployment.contracts.thresholdEnforcer,
    },
    salt,
  })
  const widenings = findWidenings(buildTree([...links, unsigned]), caveatRegistry(deployment))
  if (widenings.length > 0)
    throw new BardoError('The delegation would allow more than the Golem has.', {
      code: 'DELEGATION_WIDER',
      details: widenings.map(({ name, because }) => `${name ?? 'an unknown caveat'}: ${because}`),
      remedy: 'Give less.',
      docsPath: 'golem.md#another-golem',
    })
  const wallet = await keys.open()
  if (!wallet || !isAddressEqual(wallet.address, links[0].delegate))
    throw new BardoError('The Golem has no active session key.', { code: 'SESSION_KEY_ZEROED' })
  const typed = delegationTypedData(deployment.chainId, deployment.framework.DelegationManager, unsigned)
  const leaf = { ...unsigned, signature: await wallet.signTypedData(typed) }
  const [context, hash] = [encodeContext([leaf, ...links]), hashDelegation(leaf)]
  const endsAt = born + gift.lifespanSeconds
  await store.transaction(async (transaction) => {
    requireNotDying(readStoredDeath((await transaction.golemStates.find(id))?.death))
    const row = { type: gift.type, peer: gift.name, context, endsAt, isEnded: false }
    await writeShared(transaction, id, 'given', row)
    const given = { name: 'delegation.given', delegation: hash, to: gift.to, endsAt } as const
    transaction.record([{ golem: id, name: given.name, body: eventToJson(given) }])
  })
  return { hash, context, endsAt }

  function metamaskEnforcer(name: 'LimitedCallsEnforcer' | 'RedeemerEnforcer'): Address {
    const enforcer = deployment.framework.caveatEnforcers[name]
    if (enforcer) return enforcer
    throw new BardoError(`The delegation framework has no ${name} on this chain.`, {
      code: 'UNSUPPORTED_CHAIN',
    })
  }
}

/** The lowest Cage of the links, with its enforcer: a permission of an earlier version keeps its own. */
export function cageIn(
  links: readonly Delegation[],
  deployment: GolemParts['deployment'],
): { readonly enforcer: Address; readonly terms: CageTerms } {
  const found = findCage(links, deployment)
  if (found) return found
  throw new BardoError('Only a permission with a Cage can be delegated in part.', {
    code: 'ACTION_NOT_ALLOWED',
    details: ['a local key has single caveats instead'],
    docsPath: 'golem.md#another-golem',
  })
}

/** The same; undefined if the links have no Cage. */
export function findCage(
  links: readonly Delegation[],
  deployment: GolemParts['deployment'],
): { readonly enforcer: Address; readonly terms: CageTerms } | undefined {
  for (const { caveats } of links)
    for (const caveat of caveats) {
      const terms = readTerms(deployment, cage, caveat)
      if (terms) return { enforcer: caveat.enforcer, terms }
    }
  return undefined
}

/** Refuses a gift that the receiver could not use. */
function requireUseful({ to, type, budgetCents }: DelegationGift, own: Address): void {
  const refuse = (message: string, remedy: string) =>
    new BardoError(message, { code: 'INVALID_INPUT', remedy, docsPath: 'golem.md#another-golem' })
  if (isAddressEqual(to, own))
    throw refuse('A Golem cannot delegate to itself.', 'Name another Golem, or the key of another Golem.')
  if (type === 'act' && budgetCents <= 0n)
    throw refuse(
      'A delegation with a budget of $0 allows no action.',
      'Give a budget above 0, or use --read-only or --observer.',
    )
}

/** A Replicant's permission, and what another Golem gave, name their only redeemer. */
function requireRedelegable(links: readonly Delegation[], { deployment }: GolemParts): void {
  const isFinal = links.some(({ caveats }) =>
    caveats.some((caveat) => readTerms(deployment, metamaskKinds.Redeemer, caveat) !== undefined),
  )
  if (!isFinal) return
  throw new BardoError('This permission cannot be delegated further.', {
    code: 'ACTION_NOT_ALLOWED',
    details: ['a Redeemer caveat names the only key that may redeem it'],
    remedy: 'Delegate from the Golem that the owner signed for.',
    docsPath: 'golem.md#another-golem',
  })
}
