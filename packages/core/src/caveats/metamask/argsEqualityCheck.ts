import type { Hex } from 'viem'
import { argsEqualityCheckTerms } from '../terms/metamaskTerms.ts'
import { demand, same } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf } from './words.ts'

/** The required value of the redeemer's `args`. */
export type ArgsEqualityCheckTerms = { readonly args: Hex }

/** ArgsEqualityCheck: the redeemer's `args` must equal the terms. Any redeemer can satisfy it. */
export const argsEqualityCheck = metamaskKind<ArgsEqualityCheckTerms>({
  name: 'ArgsEqualityCheck',
  encode: argsEqualityCheckTerms.encode,
  decode: argsEqualityCheckTerms.decode,
  covers: (parent, child) =>
    coveredIf(same(parent.args, child.args), `args ${child.args}; the parent’s are ${parent.args}`),
  describe: ({ args }) => `only with the args ${args}`,
  before(terms, hook) {
    demand(
      same(terms, hook.args),
      'ArgsEqualityCheckEnforcer:different-args-and-terms',
      `Send the args ${terms}.`,
    )
  },
})
