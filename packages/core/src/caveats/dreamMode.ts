import type { Hex } from 'viem'
import { caveatKind } from './caveatKind.ts'
import { openCalls } from './execution/calls.ts'
import { type Digits, digitsOf, hexAt } from './execution/digits.ts'
import { enforcerOf } from './measure/reads.ts'
import { requireAliveAndAwake } from './measure/vitalSigns.ts'
import { coverage, otherGolem } from './terms/coverage.ts'
import { checkedTerms, decodedTerms, packed, requireLength } from './terms/packed.ts'
import { shortId } from './terms/words.ts'
import { evaluateHooks } from './verdict/evaluateHooks.ts'
import { questions } from './verdict/questions.ts'
import { askOwnAddress } from './verdict/staticRead.ts'

export type DreamModeTerms = { readonly golem: Hex }

const name = 'DreamMode'

/** Refuses every execution while the Golem dreams, is not registered, or is dead. */
export const dreamMode = caveatKind<DreamModeTerms>({
  name,
  encode: ({ golem }) => checkedTerms(name, packed([32, golem]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) => coverage(otherGolem(child.golem, parent.golem)),
  describe: ({ golem }) => `nothing while the Golem ${shortId(golem)} is dreaming or not alive`,
  reads: (_, context) => [questions.vitals(enforcerOf(context))],
  evaluate: (terms, context) =>
    evaluateHooks(context, (chain) => {
      const { golem } = read(digitsOf(terms))
      openCalls(context.execution)
      requireAliveAndAwake(chain, askOwnAddress(chain, questions.vitals(enforcerOf(context))), golem)
    }),
})

function read(terms: Digits): DreamModeTerms {
  requireLength(terms, 32)
  return { golem: hexAt(terms, 0, 32) }
}
