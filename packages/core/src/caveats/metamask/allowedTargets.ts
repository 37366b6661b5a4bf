import type { Address } from 'viem'
import { addressListTerms } from '../terms/metamaskTerms.ts'
import { demand } from './bytes.ts'
import { coversList, packedList } from './list.ts'
import { metamaskKind } from './metamaskKind.ts'
import { either, named } from './words.ts'

/** Contracts that may be called. */
export type AllowedTargetsTerms = { readonly targets: readonly Address[] }

/** AllowedTargets: one call, to one of the listed contracts. */
export const allowedTargets = metamaskKind<AllowedTargetsTerms>({
  name: 'AllowedTargets',
  calls: 'single',
  encode: ({ targets }) => addressListTerms.encode(targets),
  decode: (terms) => ({ targets: addressListTerms.decode(terms) }),
  covers: (parent, child) => coversList(parent.targets, child.targets),
  describe: ({ targets }, names) =>
    `named(target, names)))}, one at a time => only single calls to ${either(targets.map((target) => named(target, names)))} => named(target, names)))}, one at a time`,
  before(terms, hook) {
    const { target } = hook.single()
    const targets = packedList(terms, 20, 'AllowedTargetsEnforcer:invalid-terms-length')
    demand(
      targets.includes(target),
      'AllowedTargetsEnforcer:target-address-not-allowed',
      () => `Call one of ${targets.join(', ')} instead of ${target}.`,
    )
  },
})
