import { createAllowedTargetsTerms, decodeAllowedTargetsTerms } from '@metamask/delegation-core'
import type { Address } from 'viem'
import { demand } from './bytes.ts'
import { coversList, packedList } from './list.ts'
import { stockKind } from './stockKind.ts'
import { either, named } from './words.ts'

/** Contracts that may be called. */
export type AllowedTargetsTerms = { readonly targets: readonly Address[] }

/** AllowedTargets: one call, to one of the listed contracts. */
export const allowedTargets = stockKind<AllowedTargetsTerms>({
  name: 'AllowedTargets',
  calls: 'single',
  encode: ({ targets }) => createAllowedTargetsTerms({ targets: [...targets] }),
  decode: decodeAllowedTargetsTerms,
  covers: (parent, child) => coversList(parent.targets, child.targets),
  describe: ({ targets }, names) =>
    `calls only to ${either(targets.map((target) => named(target, names)))}, one at a time`,
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
