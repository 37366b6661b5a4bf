import { formatNumber } from '../../format/number.ts'
import { limitedCallsTerms } from '../terms/metamaskTerms.ts'
import { add, demand, size, word } from './bytes.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf } from './words.ts'

/** The number of executions over the life of one signed delegation. */
export type LimitedCallsTerms = { readonly limit: number }

const callCounts = view('callCounts(address,bytes32)')

/** LimitedCalls: a maximum number of executions, counted by delegation hash. */
export const limitedCalls = metamaskKind<LimitedCallsTerms>({
  name: 'LimitedCalls',
  countsAlone: true,
  encode: limitedCallsTerms.encode,
  decode: limitedCallsTerms.decode,
  covers: (parent, child) =>
    coveredIf(
      child.limit <= parent.limit,
      () =>
        `${formatNumber(BigInt(child.limit))} calls; the parent allows ${formatNumber(BigInt(parent.limit))}`,
    ),
  describe: ({ limit }) => (limit === 1 ? 'once' : `at most ${formatNumber(BigInt(limit))} times in total`),
  reads: (_, context) => [callCounts(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [callCounts(row.enforcer, row.manager, row.delegationHash)],
  usage({ limit }, row, state) {
    const answer = state.answer(callCounts(row.enforcer, row.manager, row.delegationHash))
    if (!answer?.ok) return undefined
    return { spent: answered(answer.data), limit: BigInt(limit), unit: 'calls', renews: false }
  },
  before(terms, hook) {
    demand(size(terms) === 32, 'LimitedCallsEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const limit = word(terms, 0)
    const row = callCounts(hook.enforcer, hook.manager, hook.delegationHash)
    const used = answered(hook.read(row))
    demand(
      add(used, 1n) <= limit,
      'LimitedCallsEnforcer:limit-exceeded',
      () => `Ask the owner to sign again: ${formatNumber(used)} of ${formatNumber(limit)} calls are used.`,
    )
    return { read: row, words: [used + 1n] }
  },
})
