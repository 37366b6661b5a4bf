import {
  BardoError,
  buildTree,
  type Caveat,
  type Delegation,
  dailySpendLimit,
  findWidenings,
  golemPhase,
  hashDelegation,
  type Mandate,
  type Registry,
  replicantBudget,
  stockKinds,
} from '@bardo/core'
import type { Address, Hex } from 'viem'

/** Where the enforcers of a child stand. */
export type ReplicantEnforcers = Readonly<
  Record<'replicantBudget' | 'dailySpendLimit' | 'golemPhase' | 'limitedCalls' | 'redeemer', Address>
>

/** What a child gets. */
export type ReplicantGrant = {
  /** Its own session key, or session account. */
  readonly delegate: Address
  /** The child's id: what it spends is counted under it, and only while its row in the vitals lives. */
  readonly lineage: Hex
  /** In any 24 hours. */
  readonly dailyCents: bigint
  /** Dead-man's switch of its own row, and the place of the asset that unwinding goes into: as its parent's. */
  readonly graceSeconds: number
  readonly settlement: number
  /** In its whole life. */
  readonly allowedCents: bigint
  /** Unix seconds. */
  readonly born: number
  readonly lifespanSeconds: number
  readonly calls: number
  readonly mandate: Mandate
  readonly salt: bigint
}

/**
 * The unsigned delegation of a child: a budget, a day and a lifespan of its own, a row in the vitals, a number of calls, and nobody below it. Throws
 * where it would promise more than what stands above; on the chain all of those caveats hold too.
 *
 * @param chain the parent's delegation and those above it, in any order
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
      // Its own row is what it surrenders when it dies: the framework has no other way for a delegate to let go.
      caveat(enforcers.golemPhase, golemPhase.encode({ golem: lineage, graceSeconds, settlement, mandate })),
      caveat(enforcers.limitedCalls, stockKinds.LimitedCalls.encode({ limit: calls })),
      caveat(enforcers.redeemer, stockKinds.Redeemer.encode({ redeemers: [delegate] })),
    ],
    salt,
    signature: '0x',
  }
  const widenings = findWidenings(buildTree([...chain, child]), registry)
  if (widenings.length === 0) return child
  throw new BardoError('The child would get more than its parent has.', {
    code: 'DELEGATION_WIDER',
    details: widenings.map(({ name, because }) => `${name ?? 'an unknown caveat'}: ${because}`),
    remedy: 'Give it less.',
    docsPath: 'golem.md#replicants',
  })
}
