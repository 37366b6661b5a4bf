import type { Hex } from 'viem'
import { caveatKind } from './caveatKind.ts'
import { openCalls } from './execution/calls.ts'
import { type Digits, digitsOf, hexAt } from './execution/digits.ts'
import { enforcerOf } from './measure/gather.ts'
import { requireAliveAndAwake } from './measure/vitalSigns.ts'
import { coverage, otherGolem } from './terms/coverage.ts'
import { checkedTerms, decodedTerms, packed, requireLength } from './terms/packed.ts'
import { shortId } from './terms/words.ts'
import { judge } from './verdict/judge.ts'
import { questions } from './verdict/questions.ts'

export type DreamModeTerms = { readonly golem: Hex }

const name = 'DreamMode'

/** Nothing executes while a Golem dreams; one that was never registered, or is dead, does not act either. */
export const dreamMode = caveatKind<DreamModeTerms>({
  name,
  encode: ({ golem }) => checkedTerms(name, packed([32, golem]), read),
  decode: (terms) => decodedTerms(name, terms, read),
  covers: (parent, child) => coverage(otherGolem(child.golem, parent.golem)),
  describe: ({ golem }) => `nothing while the Golem ${shortId(golem)} is dreaming or not alive`,
  reads: (_, context) => [questions.vitals(enforcerOf(context))],
  evaluate: (terms, context) =>
    judge(context, (chain) => {
      const { golem } = read(digitsOf(terms))
      openCalls(context.execution)
      requireAliveAndAwake(context, chain, golem)
    }),
})

function read(terms: Digits): DreamModeTerms {
  requireLength(terms, 32)
  return { golem: hexAt(terms, 0, 32) }
}
