import { createArgsEqualityCheckTerms, decodeArgsEqualityCheckTerms } from '@metamask/delegation-core'
import type { Hex } from 'viem'
import { demand, same } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf } from './words.ts'

/** What the redeemer’s `args` must be. */
export type ArgsEqualityCheckTerms = { readonly args: Hex }

/** ArgsEqualityCheck: the redeemer’s `args` equal the terms, which any redeemer can bring about. */
export const argsEqualityCheck = stockKind<ArgsEqualityCheckTerms>({
  name: 'ArgsEqualityCheck',
  encode: (terms) => createArgsEqualityCheckTerms(terms),
  decode: (terms) => decodeArgsEqualityCheckTerms(terms),
  covers: (parent, child) =>
    coveredIf(same(parent.args, child.args), `args ${child.args}, the parent’s are ${parent.args}`),
  describe: ({ args }) => `only with the args ${args}`,
  before(terms, hook) {
    demand(
      same(terms, hook.args),
      'ArgsEqualityCheckEnforcer:different-args-and-terms',
      `Send the args ${terms}.`,
    )
  },
})
