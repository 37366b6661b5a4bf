import { numberToHex } from 'viem'
import { formatNumber } from '../../format/number.ts'
import { erc1155BalanceChangeTerms } from '../terms/metamaskTerms.ts'
import { balanceChangeKind, otherToken, type TokenSubject, tokenIn } from './balanceChange.ts'
import { word } from './bytes.ts'
import { view } from './views.ts'
import { named } from './words.ts'

const balanceOf = view('balanceOf(address,uint256)')

/** ERC1155BalanceChange: an account loses at most, or gains at least, an amount of one token id. */
export const erc1155BalanceChange = balanceChangeKind<TokenSubject & { readonly tokenId: bigint }>({
  name: 'ERC1155BalanceChange',
  bytes: 105,
  encode: ({ token, account, tokenId, amount }, changeType) =>
    erc1155BalanceChangeTerms.encode({
      tokenAddress: token,
      recipient: account,
      tokenId,
      balance: amount,
      changeType,
    }),
  decode(terms) {
    const { tokenAddress, recipient, tokenId, balance, changeType } = erc1155BalanceChangeTerms.decode(terms)
    return { subject: { token: tokenAddress, account: recipient, tokenId }, amount: balance, changeType }
  },
  subjectIn: (terms) => ({ ...tokenIn(terms), tokenId: word(terms, 41) }),
  balanceOf: ({ token, account, tokenId }) => balanceOf(token, account, tokenId),
  keyOf: ({ token, account, tokenId }) => [token, account, numberToHex(tokenId, { size: 32 })],
  otherBalance: (parent, child) => otherToken(parent, child, parent.tokenId === child.tokenId),
  amountText: ({ token, tokenId, amount }, names) =>
    `${formatNumber(amount)} of token ${tokenId} of ${named(token, names)}`,
})
