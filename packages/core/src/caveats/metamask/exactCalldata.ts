import type { Hex } from 'viem'
import { exactCalldataTerms } from '../terms/metamaskTerms.ts'
import { demand, same } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf } from './words.ts'

/** The only calldata that passes. */
export type ExactCalldataTerms = { readonly calldata: Hex }

/** ExactCalldata: one call with exactly these bytes, to any contract and with any value. */
export const exactCalldata = metamaskKind<ExactCalldataTerms>({
  name: 'ExactCalldata',
  calls: 'single',
  encode: exactCalldataTerms.encode,
  decode: exactCalldataTerms.decode,
  covers: (parent, child) =>
    coveredIf(same(parent.calldata, child.calldata), 'the child fixes other calldata'),
  describe: ({ calldata }) => `only the calldata ${calldata}, to any contract`,
  before(terms, hook) {
    const { callData } = hook.single()
    demand(callData === terms, 'ExactCalldataEnforcer:invalid-calldata', `Send exactly ${terms}.`)
  },
})
