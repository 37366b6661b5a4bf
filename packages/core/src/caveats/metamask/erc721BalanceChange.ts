import { formatNumber } from '../../format/number.ts'
import { erc721BalanceChangeTerms } from '../terms/metamaskTerms.ts'
import { balanceChangeKind, otherToken, type TokenSubject, tokenIn } from './balanceChange.ts'
import { balanceOf } from './views.ts'
import { named } from './words.ts'

/** ERC721BalanceChange: an account loses at most, or gains at least, a number of tokens of a collection. */
export const erc721BalanceChange = balanceChangeKind<TokenSubject>({
  name: 'ERC721BalanceChange',
  bytes: 73,
  encode: ({ token, account, amount }, changeType) =>
    erc721BalanceChangeTerms.encode({ tokenAddress: token, recipient: account, amount, changeType }),
  decode(terms) {
    const { tokenAddress, recipient, amount, changeType } = erc721BalanceChangeTerms.decode(terms)
    return { subject: { token: tokenAddress, account: recipient }, amount, changeType }
  },
  subjectIn: tokenIn,
  balanceOf: ({ token, account }) => balanceOf(token, account),
  keyOf: ({ token, account }) => [token, account],
  otherBalance: otherToken,
  amountText: ({ token, amount }, names) => `${formatNumber(amount)} of ${named(token, names)}`,
})
