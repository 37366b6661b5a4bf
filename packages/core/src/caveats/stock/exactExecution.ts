import { createExactExecutionTerms, decodeExactExecutionTerms } from '@metamask/delegation-core'
import type { Address, Hex } from 'viem'
import { addressAt, demand, same, slice, word } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf, ether, named } from './words.ts'

/** The one call that passes. */
export type ExactExecutionTerms = {
  readonly execution: { readonly target: Address; readonly value: bigint; readonly callData: Hex }
}

/** ExactExecution: one call, and exactly this one. */
export const exactExecution = stockKind<ExactExecutionTerms>({
  name: 'ExactExecution',
  calls: 'single',
  encode: (terms) => createExactExecutionTerms(terms),
  decode: (terms) => decodeExactExecutionTerms(terms),
  covers: ({ execution: parent }, { execution: child }) =>
    coveredIf(
      same(parent.target, child.target) &&
        parent.value === child.value &&
        same(parent.callData, child.callData),
      'it fixes another call',
    ),
  describe: ({ execution: { target, value, callData } }, names) =>
    `only this one call: ${callData} to ${named(target, names)} with ${ether(value)}`,
  before(terms, hook) {
    const { target, value, callData } = hook.single()
    // The slices of the terms are taken one by one, as far as the comparison gets.
    const equal = addressAt(terms, 0) === target && word(terms, 20) === value && slice(terms, 52) === callData
    demand(equal, 'ExactExecutionEnforcer:invalid-execution', 'Send exactly the call that was signed.')
  },
})
