import { idTerms } from '../terms/metamaskTerms.ts'
import { demand, size, word } from './bytes.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf } from './words.ts'

/** A number that can be used once per delegator. */
export type IdTerms = { readonly id: bigint }

const getIsUsed = view('getIsUsed(address,address,uint256)')

/** Id: one execution in total across all delegations of one delegator with the same id. */
export const id = metamaskKind<IdTerms>({
  name: 'Id',
  countsAlone: true,
  sharesRows: true,
  encode: idTerms.encode,
  decode: idTerms.decode,
  covers: (parent, child) =>
    coveredIf(child.id === parent.id, `id ${child.id}; the parent’s is ${parent.id}`),
  describe: ({ id }) => `once in total across all delegations of the same signer with id ${id}`,
  reads: (terms, context) => [
    getIsUsed(context.enforcer, context.manager, context.delegator, word(terms, 0)),
  ],
  usageReads: ({ id }, row) => [getIsUsed(row.enforcer, row.manager, row.delegator, id)],
  usage({ id }, row, state) {
    const answer = state.answer(getIsUsed(row.enforcer, row.manager, row.delegator, id))
    return answer?.ok ? { spent: answered(answer.data), limit: 1n, unit: 'calls', renews: false } : undefined
  },
  before(terms, hook) {
    demand(size(terms) === 32, 'IdEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const row = getIsUsed(hook.enforcer, hook.manager, hook.delegator, word(terms, 0))
    const used = answered(hook.read(row))
    demand(used === 0n, 'IdEnforcer:id-already-used', 'Ask the delegator to sign with another id.')
    return { read: row, words: [1n] }
  },
})
