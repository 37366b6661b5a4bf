import { valueLteTerms } from '../terms/metamaskTerms.ts'
import { demand, size, word } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf, ether } from './words.ts'

/** Maximum wei per call. */
export type ValueLteTerms = { readonly maxValue: bigint }

/** ValueLte: one call with a limited value. */
export const valueLte = metamaskKind<ValueLteTerms>({
  name: 'ValueLte',
  calls: 'single',
  encode: valueLteTerms.encode,
  decode: valueLteTerms.decode,
  covers: (parent, child) =>
    coveredIf(
      child.maxValue <= parent.maxValue,
      () => `${ether(child.maxValue)} a call; the parent allows ${ether(parent.maxValue)}`,
    ),
  describe: ({ maxValue }) =>
    maxValue === 0n ? 'only single calls without value' : `only single calls with at most ${ether(maxValue)}`,
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
