import {
  BardoError,
  buildTree,
  type CageTerms,
  type Caveat,
  cage,
  type Delegation,
  dailySpendLimit,
  findWidenings,
  golemPhase,
  hashDelegation,
  type Mandate,
  metamaskKinds,
  type Registry,
  replicantBudget,
} from '@bardo/core'
import type { Address, Hex } from 'viem'

/** The addresses of a child's enforcers. */
export type ReplicantEnforcers = Readonly<
  Record<'replicantBudget' | 'dailySpendLimit' | 'golemPhase' | 'limitedCalls' | 'redeemer', Address>
>

/** The grant of a child. */
export type ReplicantGrant = {
  /** Its own session key, or session account. */
  readonly delegate: Address
  /** The child's id: its spending is counted under it, and only while its row in the vitals is alive. */
  readonly lineage: Hex
  /** In any 24 hours. */
  readonly dailyCents: bigint
  /** The grace period of its own row, and the index of its settlement asset: the same as its parent's. */
  readonly graceSeconds: number
  readonly settlement: number
  /** In its whole life. */
  readonly allowedCents: bigint
  /** Unix seconds. */
  readonly born: number
  readonly lifespanSeconds: number
  readonly calls: number
  readonly mandate: Mandate
  /** For a part of the parent's methods and contracts: a Cage that is narrower than the parent's, and its enforcer. */
  readonly cage?: { readonly enforcer: Address; readonly terms: CageTerms } | undefined
  readonly salt: bigint
}

/**
 * The unsigned delegation of a child: its own budget, daily limit, lifespan, row in the vitals and number of
 * calls, and no
 * redelegation. Throws if it exceeds the delegations above; on the chain all of their caveats apply too.
 *
 * @param chain - the parent's delegation and those above it, in any order
 */
export function replicantDelegation(
  parent: Delegation,
  chain: readonly Delegation[],
  grant: ReplicantGrant,
  enforcers: ReplicantEnforcers,
  registry: Registry,
): Delegation {
  const { delegate, lineage, allowedCents, born, lifespanSeconds, calls, mandate, salt } = grant
  const { dailyCents, graceSeconds, settlement } = grant
  const caveat = (enforcer: Address, terms: Hex): Caveat => ({ enforcer, terms, args: '0x' })
  const child: Delegation = {
    delegate,
    delegator: parent.delegate,
    authority: hashDelegation(parent),
    caveats: [
      caveat(
        enforcers.replicantBudget,
        replicantBudget.encode({ lineage, allowedCents, born, lifespanSeconds, mandate }),
      ),
      caveat(enforcers.dailySpendLimit, dailySpendLimit.encode({ lineage, limitCents: dailyCents, mandate })),
      // Its own row is what it surrenders when it dies: the framework gives a delegate no other way to give
      // up.
      caveat(enforcers.golemPhase, golemPhase.encode({ golem: lineage, graceSeconds, settlement, mandate })),
      caveat(enforcers.limitedCalls, metamaskKinds.LimitedCalls.encode({ limit: calls })),
      caveat(enforcers.redeemer, metamaskKinds.Redeemer.encode({ redeemers: [delegate] })),
      ...(grant.cage ? [caveat(grant.cage.enforcer, cage.encode(grant.cage.terms))] : []),
    ],
    salt,
    signature: '0x',
  }
  const widenings = findWidenings(buildTree([...chain, child]), registry)
  if (widenings.length === 0) return child
  throw new BardoError('The Replicant would get more than its parent has.', {
    code: 'DELEGATION_WIDER',
    details: widenings.map(({ name, because }) => `${name ?? 'an unknown caveat'}: ${because}`),
    remedy: 'Give it less.',
    docsPath: 'golem.md#replicants',
  })
}
