import type { Address, Hex } from 'viem'
import { exactExecutionTerms } from '../terms/metamaskTerms.ts'
import { addressAt, demand, same, slice, word } from './bytes.ts'
import { callWords } from './callWords.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf } from './words.ts'

/** The only call that passes. */
export type ExactExecutionTerms = {
  readonly execution: { readonly target: Address; readonly value: bigint; readonly callData: Hex }
}

/** ExactExecution: exactly one signed call. */
export const exactExecution = metamaskKind<ExactExecutionTerms>({
  name: 'ExactExecution',
  calls: 'single',
  encode: ({ execution }) => exactExecutionTerms.encode(execution),
  decode: (terms) => ({ execution: exactExecutionTerms.decode(terms) }),
  covers: ({ execution: parent }, { execution: child }) =>
    coveredIf(
      same(parent.target, child.target) &&
        parent.value === child.value &&
        same(parent.callData, child.callData),
      'the child fixes another call',
    ),
  describe: ({ execution }, names) => `only this one call: ${callWords(execution, names)}`,
  before(terms, hook) {
    const { target, value, callData } = hook.single()
    // The terms are sliced one by one, only as far as the comparison gets.
    const equal = addressAt(terms, 0) === target && word(terms, 20) === value && slice(terms, 52) === callData
    demand(equal, 'ExactExecutionEnforcer:invalid-execution', 'Send exactly the call that was signed.')
  },
})
