import { nativeTokenTransferAmountTerms } from '../terms/metamaskTerms.ts'
import { add, demand, demandWellFormed, size, word } from './bytes.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, ether } from './words.ts'

/** Wei over the life of one signed delegation. */
export type NativeTokenTransferAmountTerms = { readonly amount: bigint }

const spentMap = view('spentMap(address,bytes32)')

/** NativeTokenTransferAmount: single calls with values up to a lifetime total. Calldata is not checked. */
export const nativeTokenTransferAmount = metamaskKind<NativeTokenTransferAmountTerms>({
  name: 'NativeTokenTransferAmount',
  countsAlone: true,
  calls: 'single',
  encode: ({ amount }) => nativeTokenTransferAmountTerms.encode({ maxAmount: amount }),
  decode: (terms) => ({ amount: nativeTokenTransferAmountTerms.decode(terms).maxAmount }),
  covers: (parent, child) =>
    coveredIf(
      child.amount <= parent.amount,
      () => `${ether(child.amount)} in total; the parent allows ${ether(parent.amount)}`,
    ),
  describe: ({ amount }) => `at most ${ether(amount)} in total, in single calls`,
  reads: (_, context) => [spentMap(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [spentMap(row.enforcer, row.manager, row.delegationHash)],
  usage({ amount }, row, state) {
    const answer = state.answer(spentMap(row.enforcer, row.manager, row.delegationHash))
    return answer?.ok
      ? { spent: answered(answer.data), limit: amount, unit: 'native', renews: false }
      : undefined
  },
  before(terms, hook) {
    // The only stock enforcer that reads its terms with abi.decode: longer terms pass, shorter ones revert
    // without data.
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
