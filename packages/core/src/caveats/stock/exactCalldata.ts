import { createExactCalldataTerms, decodeExactCalldataTerms } from '@metamask/delegation-core'
import type { Hex } from 'viem'
import { demand, same } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf } from './words.ts'

/** The one calldata that passes. */
export type ExactCalldataTerms = { readonly calldata: Hex }

/** ExactCalldata: one call with exactly these bytes, to any contract and with any value. */
export const exactCalldata = stockKind<ExactCalldataTerms>({
  name: 'ExactCalldata',
  calls: 'single',
  encode: (terms) => createExactCalldataTerms(terms),
  decode: (terms) => decodeExactCalldataTerms(terms),
  covers: (parent, child) => coveredIf(same(parent.calldata, child.calldata), 'it fixes other calldata'),
  describe: ({ calldata }) => `only the calldata ${calldata}, to any contract`,
  before(terms, hook) {
    const { callData } = hook.single()
    demand(callData === terms, 'ExactCalldataEnforcer:invalid-calldata', `Send exactly ${terms}.`)
  },
})
