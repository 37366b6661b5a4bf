import { createValueLteTerms, decodeValueLteTerms } from '@metamask/delegation-core'
import { demand, size, word } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf, ether } from './words.ts'

/** Wei that one call may carry. */
export type ValueLteTerms = { readonly maxValue: bigint }

/** ValueLte: one call, with at most so much native currency. */
export const valueLte = stockKind<ValueLteTerms>({
  name: 'ValueLte',
  calls: 'single',
  encode: (terms) => createValueLteTerms(terms),
  decode: decodeValueLteTerms,
  covers: (parent, child) =>
    coveredIf(
      child.maxValue <= parent.maxValue,
      `${ether(child.maxValue)} a call, the parent ${ether(parent.maxValue)}`,
    ),
  describe: ({ maxValue }) =>
    maxValue === 0n
      ? 'no native currency, one call at a time'
      : `at most ${ether(maxValue)} with each call, one at a time`,
  before(terms, hook) {
    const { value } = hook.single()
    demand(size(terms) === 32, 'ValueLteEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const most = word(terms, 0)
    demand(
      value <= most,
      'ValueLteEnforcer:value-too-high',
      `Send at most ${ether(most)} instead of ${ether(value)}.`,
    )
  },
})
