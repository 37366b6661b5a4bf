import type { Address, Hex } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import { scopeOf } from '../caveats/execution/methodScope.ts'
import { type Method, methodBits } from '../caveats/execution/methods.ts'
import { replicantBudget } from '../caveats/replicantBudget.ts'
import { limitedCalls } from '../caveats/stock/limitedCalls.ts'
import { redeemer } from '../caveats/stock/redeemer.ts'
import { BardoError } from '../errors/BardoError.ts'
import { anyDelegate, type Caveat, type Delegation } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'

/** Where the enforcers of a child's caveats stand. */
export type ChildEnforcers = {
  readonly cageEnforcer: Address
  readonly replicantBudgetEnforcer: Address
  readonly limitedCallsEnforcer: Address
  readonly redeemerEnforcer: Address
}

/** What one Golem lets another do. */
export type CrossGolemDelegation = {
  /** The delegation that is handed on; it carries a Cage. */
  readonly parent: Delegation
  readonly child: { readonly golem: Hex; readonly key: Address }
  readonly budgetCents: bigint
  /** Unix seconds. */
  readonly born: number
  readonly lifespanSeconds: number
  /** Among the parent's. */
  readonly methods: readonly Method[]
  /** From 1 to 1,000. */
  readonly calls: number
  /** Whether the child may hand it on in turn. */
  readonly isFinal: boolean
  readonly enforcers: ChildEnforcers
  readonly salt: bigint
}

/** Origin: spec 001 S11.1. */
const mostCalls = 1_000

/**
 * A delegation from one Golem to another, or to its Replicant: a budget for life, a lifespan, fewer methods, and at
 * most 1,000 executions. Unsigned.
 *
 * The Cage in it is the parent's with fewer methods, and fewer classes and contracts accordingly. Budget, life and count stand in caveats of their own, whose rows
 * belong to the child: a row of a Cage belongs to delegator and Golem, and two children would share one.
 */
export function crossGolemDelegation(wanted: CrossGolemDelegation): Delegation {
  const { parent, child, enforcers, salt, calls, isFinal } = wanted
  const above = cageOf(parent, enforcers)
  requirePossible(wanted, above)
  const life = {
    allowedCents: wanted.budgetCents,
    born: wanted.born,
    lifespanSeconds: wanted.lifespanSeconds,
  }
  const narrower = withMethods(above, wanted.methods)
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
      ...(isFinal ? [caveat(enforcers.redeemerEnforcer, redeemer.encode({ redeemers: [child.key] }))] : []),
    ],
    salt,
    signature: '0x',
  }
}

/** A Cage with some of its methods, and with nothing that only the others are for. */
function withMethods(terms: CageTerms, methods: readonly Method[]): CageTerms {
  const { classes, kinds } = scopeOf(methods)
  const targets = terms.mandate.targets.filter(({ kind }) => kinds.has(kind))
  return {
    ...terms,
    classes: terms.classes & classes,
    methods: methods.reduce((bits, name) => bits | methodBits[name], 0),
    mandate: { ...terms.mandate, targets },
  }
}

/** The Cage that a delegation carries. */
function cageOf({ caveats }: Delegation, { cageEnforcer }: Pick<ChildEnforcers, 'cageEnforcer'>): CageTerms {
  const found = caveats.filter(({ enforcer }) => enforcer.toLowerCase() === cageEnforcer.toLowerCase())
  const [only] = found
  if (!only || found.length > 1) {
    throw refused('The delegation above must carry one Cage.', [`it carries ${found.length}`])
  }
  return cage.decode(only.terms)
}

function requirePossible(wanted: CrossGolemDelegation, above: CageTerms): void {
  const { parent, child, calls, methods, born, lifespanSeconds } = wanted
  if (!Number.isInteger(calls) || calls < 1 || calls > mostCalls)
    throw refused(`A child gets from 1 to ${mostCalls} executions.`, [`${calls} were asked for`])
  const others = methods.filter((name) => (above.methods & methodBits[name]) === 0)
  if (methods.length === 0 || others.length > 0)
    throw refused('A child gets some of the methods above it.', [
      `not among them: ${others.join(', ') || 'none'}`,
    ])
  if (born + lifespanSeconds > above.end)
    throw refused('The child would outlive what stands above it.', [
      `it would end at ${born + lifespanSeconds}, and the Cage above at ${above.end}`,
    ])
  const nobody = [parent.delegate, parent.delegator, anyDelegate].map((address) => address.toLowerCase())
  if (parent.delegate.toLowerCase() === anyDelegate || nobody.includes(child.key.toLowerCase()))
    throw refused('A child is one key of its own, under one that is known.', [
      `from ${parent.delegate} to ${child.key}`,
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
