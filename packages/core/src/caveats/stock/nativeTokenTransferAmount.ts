import {
  createNativeTokenTransferAmountTerms,
  decodeNativeTokenTransferAmountTerms,
} from '@metamask/delegation-core'
import { add, demand, demandWellFormed, size, word } from './bytes.ts'
import { answered, stockKind } from './stockKind.ts'
import { view } from './views.ts'
import { coveredIf, ether } from './words.ts'

/** Wei in the life of one signed delegation. */
export type NativeTokenTransferAmountTerms = { readonly amount: bigint }

const spentMap = view('spentMap(address,bytes32)')

/** NativeTokenTransferAmount: one call at a time, their values up to a total for ever. Calldata is free. */
export const nativeTokenTransferAmount = stockKind<NativeTokenTransferAmountTerms>({
  name: 'NativeTokenTransferAmount',
  countsAlone: true,
  calls: 'single',
  encode: ({ amount }) => createNativeTokenTransferAmountTerms({ maxAmount: amount }),
  decode: (terms) => ({ amount: decodeNativeTokenTransferAmountTerms(terms).maxAmount }),
  covers: (parent, child) =>
    coveredIf(
      child.amount <= parent.amount,
      `${ether(child.amount)} in all, the parent ${ether(parent.amount)}`,
    ),
  describe: ({ amount }) => `at most ${ether(amount)} in all, one call at a time`,
  reads: (_, context) => [spentMap(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [spentMap(row.enforcer, row.manager, row.delegationHash)],
  usage({ amount }, row, state) {
    const answer = state.answer(spentMap(row.enforcer, row.manager, row.delegationHash))
    return answer?.ok
      ? { spent: answered(answer.data), limit: amount, unit: 'native', renews: false }
      : undefined
  },
  before(terms, hook) {
    // The one stock enforcer that reads its terms with abi.decode: longer ones pass, shorter ones revert silently.
    demandWellFormed(size(terms) >= 32)
    const most = word(terms, 0)
    const { value } = hook.single()
    const row = spentMap(hook.enforcer, hook.manager, hook.delegationHash)
    const spent = answered(hook.read(row))
    demand(
      add(spent, value) <= most,
      'NativeTokenTransferAmountEnforcer:allowance-exceeded',
      () =>
        `Send at most ${ether(most > spent ? most - spent : 0n)} instead of ${ether(value)}: ${ether(spent)} of ${ether(most)} are spent.`,
    )
    return { read: row, words: [spent + value] }
  },
})
