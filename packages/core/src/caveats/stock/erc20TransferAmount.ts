import { createERC20TransferAmountTerms, decodeERC20TransferAmountTerms } from '@metamask/delegation-core'
import type { Address } from 'viem'
import { add, addressAt, demand, same, size, word } from './bytes.ts'
import { demandTransferLength, transferred } from './erc20Transfer.ts'
import { answered, stockKind } from './stockKind.ts'
import { view } from './views.ts'
import { coveredIf, money, wider } from './words.ts'

/** Base units of a token in the life of one signed delegation. */
export type ERC20TransferAmountTerms = { readonly token: Address; readonly amount: bigint }

const enforcer = 'ERC20TransferAmountEnforcer'
const spentMap = view('spentMap(address,bytes32)')

/** ERC20TransferAmount: plain transfers of one token, up to a total for ever. */
export const erc20TransferAmount = stockKind<ERC20TransferAmountTerms>({
  name: 'ERC20TransferAmount',
  countsAlone: true,
  calls: 'single',
  encode: ({ token, amount }) => createERC20TransferAmountTerms({ tokenAddress: token, maxAmount: amount }),
  decode(terms) {
    const { tokenAddress, maxAmount } = decodeERC20TransferAmountTerms(terms)
    return { token: tokenAddress, amount: maxAmount }
  },
  covers: (parent, child) =>
    same(parent.token, child.token)
      ? coveredIf(child.amount <= parent.amount, `${child.amount} in all, the parent ${parent.amount}`)
      : wider(`it is about ${child.token}, the parent about ${parent.token}`),
  describe: ({ token, amount }, names) => `at most ${money(amount, token, names)} in all, as plain transfers`,
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
