import { type Address, isAddressEqual } from 'viem'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { scopeOf } from '../caveats/execution/methodScope.ts'
import { type Method, methodBits, methodNames } from '../caveats/execution/methods.ts'

/** A part of what a Cage allows. */
export type CagePart = {
  /** Default: all methods of the Cage. An approval that they need is added. */
  readonly methods?: readonly Method[] | undefined
  /** Default: all contracts of the Cage. */
  readonly targets?: readonly Address[] | undefined
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
 * The methods that a part of a Cage needs: the requested ones that its contracts have, with the approval that
 * they need.
 *
 * @example
 * methodsOfPart(terms, { methods: ['deposit'], targets: undefined }) // ['deposit', 'approve']
 */
export function methodsOfPart(terms: CageTerms, { methods, targets }: CagePart): readonly Method[] {
  const all = methodNames.filter((name) => (terms.methods & methodBits[name]) !== 0)
  const kinds = new Set(targetsOf(terms, targets).map(({ kind }) => kind))
  const isOfTarget = (name: Method) => [...scopeOf([name]).kinds].some((kind) => kinds.has(kind))
  const requested = methods ?? (targets ? all.filter(isOfTarget) : all)
  const needsApproval = requested.some((name) => approved.includes(name)) && all.includes('approve')
  return [...new Set([...requested, ...(needsApproval ? (['approve'] as const) : [])])]
}

/**
 * A Cage with a subset of its methods and contracts, without the classes that only the others need.
 *
 * @example
 * const part = narrowCage(terms, { methods: ['approve', 'exactInputSingle'], targets: undefined })
 */
export function narrowCage(
  terms: CageTerms,
  { methods, targets }: CagePart & { readonly methods: readonly Method[] },
): CageTerms {
  const { classes, kinds } = scopeOf(methods)
  return {
    ...terms,
    classes: terms.classes & classes,
    methods: methods.reduce((bits, name) => bits | methodBits[name], 0),
    mandate: { ...terms.mandate, targets: targetsOf(terms, targets).filter(({ kind }) => kinds.has(kind)) },
  }
}

function targetsOf({ mandate }: CageTerms, chosen: readonly Address[] | undefined) {
  return mandate.targets.filter(
    ({ address }) => !chosen || chosen.some((one) => isAddressEqual(one, address)),
  )
}
