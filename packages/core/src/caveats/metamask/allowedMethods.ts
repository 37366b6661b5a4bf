import type { Hex } from 'viem'
import { allowedMethodsTerms } from '../terms/metamaskTerms.ts'
import { demand, size, slice } from './bytes.ts'
import { coversList, packedList } from './list.ts'
import { metamaskKind } from './metamaskKind.ts'
import { either } from './words.ts'

/** Four-byte selectors that may be called. */
export type AllowedMethodsTerms = { readonly selectors: readonly Hex[] }

/** AllowedMethods: one call, by one of the listed selectors. */
export const allowedMethods = metamaskKind<AllowedMethodsTerms>({
  name: 'AllowedMethods',
  calls: 'single',
  encode: ({ selectors }) => allowedMethodsTerms.encode(selectors),
  decode: (terms) => ({ selectors: allowedMethodsTerms.decode(terms) }),
  covers: (parent, child) => coversList(parent.selectors, child.selectors),
  describe: ({ selectors }) => `only single calls of the methods ${either(selectors)}`,
  before(terms, hook) {
    const { callData } = hook.single()
    demand(
      size(callData) >= 4,
      'AllowedMethodsEnforcer:invalid-execution-data-length',
      'Call a method: this caveat refuses plain payments.',
    )
    const selector = slice(callData, 0, 4)
    const selectors = packedList(terms, 4, 'AllowedMethodsEnforcer:invalid-terms-length')
    demand(
      selectors.includes(selector),
      'AllowedMethodsEnforcer:method-not-allowed',
      () => `Call one of ${selectors.join(', ')} instead of ${selector}.`,
    )
  },
})
