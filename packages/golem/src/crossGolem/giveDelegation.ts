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
  methodBits,
  methodNames,
  readTerms,
} from '@bardo/core'
import { type Address, type Hash, type Hex, isAddressEqual, keccak256, stringToHex } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
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
  readonly calls: number
}

/** A delegation that a Golem's key signed for another Golem. */
export type GivenDelegation = {
  readonly hash: Hash
  /** The signed delegations, leaf first: the receiver redeems with these bytes. */
  readonly context: Hex
  readonly endsAt: number
}

/** The methods that move tokens need an approval in the same execution. */
const approved: readonly Method[] = [
  'exactInputSingle',
  'exactInput',
  'exactOutputSingle',
  'exactOutput',
  'mintPosition',
  'increaseLiquidity',
  'deposit',
  'mintShares',
]

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
  requireNotDying(await death())
  const { enforcer: cageEnforcer, terms } = cageIn(links, deployment)
  requireRedelegable(links, parts)
  const { timestamp } = await client.getBlock()
  const born = Number(timestamp)
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
    methods: gift.type === 'act' ? methodsOf(gift.methods, terms) : [],
    calls: gift.calls,
    isFinal: true,
    enforcers: {
      cageEnforcer,
      replicantBudgetEnforcer: deployment.contracts.replicantBudgetEnforcer,
      limitedCallsEnforcer: metamaskEnforcer('LimitedCallsEnforcer'),
      redeemerEnforcer: metamaskEnforcer('RedeemerEnforcer'),
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
  for (const { caveats } of links)
    for (const caveat of caveats) {
      const terms = readTerms(deployment, cage, caveat)
      if (terms) return { enforcer: caveat.enforcer, terms }
    }
  throw new BardoError('Only a permission with a Cage can be delegated in part.', {
    code: 'ACTION_NOT_ALLOWED',
    details: ['a local key has single caveats instead'],
    docsPath: 'golem.md#another-golem',
  })
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

/** The requested methods with the approval that they need. */
function methodsOf(requested: readonly Method[] | undefined, { methods }: CageTerms): readonly Method[] {
  const all = methodNames.filter((name) => (methods & methodBits[name]) !== 0)
  if (!requested) return all
  const needsApproval = requested.some((name) => approved.includes(name)) && all.includes('approve')
  return [...new Set([...requested, ...(needsApproval ? (['approve'] as const) : [])])]
}
