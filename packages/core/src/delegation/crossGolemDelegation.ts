import { type Address, type Hex, isAddressEqual } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { type Method, methodBits } from '../caveats/execution/methods.ts'
import { limitedCalls } from '../caveats/metamask/limitedCalls.ts'
import { redeemer } from '../caveats/metamask/redeemer.ts'
import { replicantBudget } from '../caveats/replicantBudget.ts'
import { targetKinds } from '../caveats/terms/mandate.ts'
import { type ThresholdTerms, threshold } from '../caveats/threshold.ts'
import { BardoError } from '../errors/BardoError.ts'
import { anyDelegate, type Caveat, type Delegation } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { narrowCage } from './narrowCage.ts'

/**
 * The enforcer addresses of a child's caveats. The Cage's enforcer has the same version as the parent's Cage.
 */
export type ChildEnforcers = {
  readonly cageEnforcer: Address
  readonly replicantBudgetEnforcer: Address
  readonly limitedCallsEnforcer: Address
  readonly redeemerEnforcer: Address
  /** Only a delegation with co-signers needs it. */
  readonly thresholdEnforcer?: Address
}

/** A delegation from one Golem to another. */
export type CrossGolemDelegation = {
  /**
   * What the child may do. `act`: the given methods. `observer`: only the signed publishing method, at no cost.
   * `readOnly`: nothing. Default: `act`.
   */
  readonly type?: 'act' | 'observer' | 'readOnly'
  /** The delegation to redelegate. */
  readonly parent: Delegation
  /** The delegations above the parent, for a parent that carries no Cage: a rotated key's link has none. */
  readonly above?: readonly Delegation[]
  readonly child: { readonly golem: Hex; readonly key: Address }
  readonly budgetCents: bigint
  /** Unix seconds. */
  readonly born: number
  readonly lifespanSeconds: number
  /** A subset of the parent's methods. Only `act` needs them. */
  readonly methods: readonly Method[]
  /** A subset of the parent's contracts. Default: all that the methods need. */
  readonly targets?: readonly Address[]
  /** k of n keys that sign every execution, beside the co-signers of the links above. */
  readonly coSigners?: ThresholdTerms
  /** From 1 to 1,000. */
  readonly calls: number
  /** Whether the child may not redelegate. */
  readonly isFinal: boolean
  readonly enforcers: ChildEnforcers
  readonly salt: bigint
}

/** The maximum number of executions of a child. */
const mostCalls = 1_000

/**
 * A delegation from one Golem to another, or to its Replicant: a lifetime budget, a lifespan, a subset of the
 * methods, and at most 1,000 executions. Unsigned.
 *
 * Its Cage is the parent's with fewer methods, and accordingly fewer classes and contracts. Budget, lifespan
 * and count are in separate caveats with rows that belong to the child: a Cage's row belongs to delegator and
 * Golem, so two children would share one.
 *
 * @example
 * const child = crossGolemDelegation({
 *   parent,
 *   child: { golem, key },
 *   budgetCents: 10_000n,
 *   born: now,
 *   lifespanSeconds: 86_400,
 *   methods: ['exactInputSingle'],
 *   calls: 100,
 *   isFinal: true,
 *   enforcers,
 *   salt: 1n,
 * })
 */
export function crossGolemDelegation(wanted: CrossGolemDelegation): Delegation {
  const { parent, child, enforcers, salt, calls, isFinal } = wanted
  const above = cageOf([parent, ...(wanted.above ?? [])], enforcers)
  requirePossible(wanted, above)
  const life = {
    allowedCents: wanted.budgetCents,
    born: wanted.born,
    lifespanSeconds: wanted.lifespanSeconds,
  }
  const narrower = narrowed(above, wanted)
  if (wanted.targets) requireTargets(narrower, wanted.targets)
  const { mandate } = narrower
  return {
    delegate: child.key,
    delegator: parent.delegate,
    authority: hashDelegation(parent),
    caveats: [
      caveat(enforcers.cageEnforcer, cage.encode(narrower)),
      caveat(
        enforcers.replicantBudgetEnforcer,
        replicantBudget.encode({ ...life, lineage: child.golem, mandate }),
      ),
      caveat(enforcers.limitedCallsEnforcer, limitedCalls.encode({ limit: calls })),
      ...(wanted.coSigners && enforcers.thresholdEnforcer
        ? [caveat(enforcers.thresholdEnforcer, threshold.encode(wanted.coSigners))]
        : []),
      ...(isFinal ? [caveat(enforcers.redeemerEnforcer, redeemer.encode({ redeemers: [child.key] }))] : []),
    ],
    salt,
    signature: '0x',
  }
}

/** A Cage for the child: its methods, its contracts, and its end. */
function narrowed(above: CageTerms, wanted: CrossGolemDelegation) {
  const { type = 'act', methods, targets, born, lifespanSeconds } = wanted
  const terms = { ...above, end: born + lifespanSeconds }
  switch (type) {
    case 'act':
      return narrowCage(terms, { methods, targets })
    case 'observer':
      return withoutValue(narrowCage(terms, { methods: ['signed'] }), classBits.publish)
    case 'readOnly':
      return withoutValue(narrowCage(terms, { methods: [] }), 0)
  }
}

/** A Cage that moves no value: a limit of $0, and no pair to swap. */
function withoutValue(terms: CageTerms, classes: number): CageTerms {
  const targets = terms.mandate.targets.filter(({ kind }) => classes !== 0 && kind === targetKinds.publish)
  const { gas: _, ...rest } = terms
  return {
    ...rest,
    classes: terms.classes & classes,
    pairs: 0n,
    dayCents: 0n,
    dollarsByPhase: [0, 0, 0, 0, 0],
    mandate: { ...terms.mandate, targets, payees: [] },
  }
}

/** Refuses a contract that the child's Cage would drop. */
function requireTargets({ mandate }: CageTerms, wanted: readonly Address[]): void {
  const others = wanted.filter((one) => !mandate.targets.some(({ address }) => isAddressEqual(address, one)))
  if (wanted.length > 0 && others.length === 0) return
  throw refused('A child may call only contracts of its parent that its methods need.', [
    `not allowed: ${others.join(', ') || 'none is named'}`,
  ])
}

/** The Cage of the lowest delegation that carries one. */
function cageOf(
  links: readonly Delegation[],
  { cageEnforcer }: Pick<ChildEnforcers, 'cageEnforcer'>,
): CageTerms {
  for (const { caveats } of links) {
    const cages = caveats.filter(({ enforcer }) => enforcer.toLowerCase() === cageEnforcer.toLowerCase())
    const [only] = cages
    if (only && cages.length === 1) return cage.decode(only.terms)
    if (only) throw withoutCage(cages.length)
  }
  throw withoutCage(0)
}

function withoutCage(count: number) {
  return refused('The parent delegation must carry exactly one Cage.', [`it carries ${count}`])
}

function requirePossible(wanted: CrossGolemDelegation, above: CageTerms): void {
  const { parent, child, calls, methods, born, lifespanSeconds } = wanted
  if (wanted.coSigners && !wanted.enforcers.thresholdEnforcer)
    throw refused('A delegation with co-signers needs the Threshold enforcer.', [])
  if (wanted.coSigners && above.coSigners)
    throw refused('The parent has co-signers, and they sign every execution below it too.', [
      `${above.coSigners.threshold} of ${above.coSigners.keys.join(', ')}`,
    ])
  if (!Number.isInteger(calls) || calls < 1 || calls > mostCalls)
    throw refused(`A child needs between 1 and ${mostCalls} executions.`, [`requested: ${calls}`])
  if (wanted.type === 'observer' && (above.classes & classBits.publish) === 0)
    throw refused('An observer publishes to a contract that the owner signed, and the parent has none.', [
      'a read-only delegation needs no such contract',
    ])
  const others = methods.filter((name) => (above.methods & methodBits[name]) === 0)
  const needsMethods = (wanted.type ?? 'act') === 'act'
  if (needsMethods && (methods.length === 0 || others.length > 0))
    throw refused('A child needs at least one method, and only methods of its parent.', [
      `not allowed by the parent: ${others.join(', ') || 'none'}`,
    ])
  if (born + lifespanSeconds > above.end)
    throw refused('The child would outlive its parent.', [
      `the child would end at ${born + lifespanSeconds}; the parent's Cage ends at ${above.end}`,
    ])
  const taken = [parent.delegate, parent.delegator, anyDelegate].map((address) => address.toLowerCase())
  if (parent.delegate.toLowerCase() === anyDelegate || taken.includes(child.key.toLowerCase()))
    throw refused('A child needs its own key, and the parent a named delegate.', [
      `parent: ${parent.delegate}, child: ${child.key}`,
    ])
}

function caveat(enforcer: Address, terms: Hex): Caveat {
  return { enforcer, terms, args: '0x' }
}

function refused(message: string, details: readonly string[]) {
  return new BardoError(message, {
    code: 'INVALID_INPUT',
    details,
    docsPath: 'delegations.md#a-golem-delegates',
  })
}
