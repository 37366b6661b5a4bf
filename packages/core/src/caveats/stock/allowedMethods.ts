import { createAllowedMethodsTerms, decodeAllowedMethodsTerms } from '@metamask/delegation-core'
import type { Hex } from 'viem'
import { demand, size, slice } from './bytes.ts'
import { coversList, packedList } from './list.ts'
import { stockKind } from './stockKind.ts'
import { either } from './words.ts'

/** Four-byte selectors that may be called. */
export type AllowedMethodsTerms = { readonly selectors: readonly Hex[] }

/** AllowedMethods: one call, by one of the listed selectors. */
export const allowedMethods = stockKind<AllowedMethodsTerms>({
  name: 'AllowedMethods',
  calls: 'single',
  encode: ({ selectors }) => createAllowedMethodsTerms({ selectors: [...selectors] }),
  decode: decodeAllowedMethodsTerms,
  covers: (parent, child) => coversList(parent.selectors, child.selectors),
  describe: ({ selectors }) => `calls only to the methods ${either(selectors)}, one at a time`,
  before(terms, hook) {
    const { callData } = hook.single()
    demand(
      size(callData) >= 4,
      'AllowedMethodsEnforcer:invalid-execution-data-length',
      'Call a method: plain payments are refused here.',
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
