import { nativeBalanceChangeTerms } from '../terms/metamaskTerms.ts'
import { balanceChangeKind } from './balanceChange.ts'
import { addressAt, same } from './bytes.ts'
import { nativeBalance } from './views.ts'
import { ether } from './words.ts'

/** NativeBalanceChange: an account loses at most, or gains at least, an amount of native currency. */
export const nativeBalanceChange = balanceChangeKind({
  name: 'NativeBalanceChange',
  bytes: 53,
  encode: ({ account, amount }, changeType) =>
    nativeBalanceChangeTerms.encode({ recipient: account, balance: amount, changeType }),
  decode(terms) {
    const { recipient, balance, changeType } = nativeBalanceChangeTerms.decode(terms)
    return { subject: { account: recipient }, amount: balance, changeType }
  },
  subjectIn: (terms) => ({ account: addressAt(terms, 1) }),
  balanceOf: ({ account }) => nativeBalance(account),
  keyOf: () => [],
  otherBalance: (parent, child) =>
    same(parent.account, child.account)
      ? undefined
      : `the child measures ${child.account}; the parent measures ${parent.account}`,
  amountText: ({ amount }) => ether(amount),
})
