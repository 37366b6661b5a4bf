import type { Address } from 'viem'
import { erc20TransferAmountTerms } from '../terms/metamaskTerms.ts'
import { add, addressAt, demand, same, size, word } from './bytes.ts'
import { demandTransferLength, transferred } from './erc20Transfer.ts'
import { answered, metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, money, wider } from './words.ts'

/** Base units of a token over the life of one signed delegation. */
export type ERC20TransferAmountTerms = { readonly token: Address; readonly amount: bigint }

const enforcer = 'ERC20TransferAmountEnforcer'
const spentMap = view('spentMap(address,bytes32)')

/** ERC20TransferAmount: plain transfers of one token, up to a lifetime total. */
export const erc20TransferAmount = metamaskKind<ERC20TransferAmountTerms>({
  name: 'ERC20TransferAmount',
  countsAlone: true,
  calls: 'single',
  encode: ({ token, amount }) => erc20TransferAmountTerms.encode({ tokenAddress: token, maxAmount: amount }),
  decode(terms) {
    const { tokenAddress, maxAmount } = erc20TransferAmountTerms.decode(terms)
    return { token: tokenAddress, amount: maxAmount }
  },
  covers: (parent, child) =>
    same(parent.token, child.token)
      ? coveredIf(
          child.amount <= parent.amount,
          `${child.amount} in total; the parent allows ${parent.amount}`,
        )
      : wider(`the child limits ${child.token}; the parent limits ${parent.token}`),
  describe: ({ token, amount }, names) =>
    `at most ${money(amount, token, names)} in total, as plain transfers`,
  reads: (_, context) => [spentMap(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [spentMap(row.enforcer, row.manager, row.delegationHash)],
  usage({ token, amount }, row, state) {
    const answer = state.answer(spentMap(row.enforcer, row.manager, row.delegationHash))
    return answer?.ok
      ? { spent: answered(answer.data), limit: amount, unit: token, renews: false }
      : undefined
  },
  before(terms, hook) {
    const call = hook.single()
    demandTransferLength(enforcer, call)
    demand(size(terms) === 52, `${enforcer}:invalid-terms-length`, 'Sign terms of 52 bytes.')
    const amount = transferred(enforcer, addressAt(terms, 0), call)
    const most = word(terms, 20)
    const row = spentMap(hook.enforcer, hook.manager, hook.delegationHash)
    const spent = answered(hook.read(row))
    demand(
      add(spent, amount) <= most,
      `${enforcer}:allowance-exceeded`,
      `Ask for at most ${most > spent ? most - spent : 0n} instead of ${amount}: ${spent} of ${most} are spent.`,
    )
    return { read: row, words: [spent + amount] }
  },
})
