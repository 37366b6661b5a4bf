import { erc20BalanceChangeTerms } from '../terms/metamaskTerms.ts'
import { balanceChangeKind, otherToken, type TokenSubject, tokenIn } from './balanceChange.ts'
import { balanceOf } from './views.ts'
import { money } from './words.ts'

/** ERC20BalanceChange: an account loses at most, or gains at least, an amount of a token. */
export const erc20BalanceChange = balanceChangeKind<TokenSubject>({
  name: 'ERC20BalanceChange',
  bytes: 73,
  encode: ({ token, account, amount }, changeType) =>
    erc20BalanceChangeTerms.encode({ tokenAddress: token, recipient: account, balance: amount, changeType }),
  decode(terms) {
    const { tokenAddress, recipient, balance, changeType } = erc20BalanceChangeTerms.decode(terms)
    return { subject: { token: tokenAddress, account: recipient }, amount: balance, changeType }
  },
  subjectIn: tokenIn,
  balanceOf: ({ token, account }) => balanceOf(token, account),
  keyOf: ({ token }) => [token],
  otherBalance: otherToken,
  amountText: ({ token, amount }, names) => money(amount, token, names),
})
