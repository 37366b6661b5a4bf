import { type Address, type Hex, numberToHex } from 'viem'
import { erc1155BalanceChangeTerms } from '../terms/metamaskTerms.ts'
import {
  type Change,
  changeOf,
  changeTypes,
  coversChange,
  demandBalance,
  hashKey,
  lockRead,
  rememberBalance,
} from './balanceChange.ts'
import { addressAt, demand, same, size, slice, word } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { view } from './views.ts'
import { count, named, wider } from './words.ts'

/** How one account's balance of one token id may change. */
export type ERC1155BalanceChangeTerms = Change & {
  readonly token: Address
  readonly account: Address
  readonly tokenId: bigint
}

const enforcer = 'ERC1155BalanceChangeEnforcer'
const balanceOf = view('balanceOf(address,uint256)')

/** ERC1155BalanceChange: an account loses at most, or gains at least, an amount of one token id. */
export const erc1155BalanceChange = metamaskKind<ERC1155BalanceChangeTerms>({
  name: 'ERC1155BalanceChange',
  locks: true,
  encode: ({ token, account, tokenId, amount, change }) =>
    erc1155BalanceChangeTerms.encode({
      tokenAddress: token,
      recipient: account,
      tokenId,
      balance: amount,
      changeType: changeTypes[change],
    }),
  decode(terms) {
    const { tokenAddress, recipient, tokenId, balance, changeType } = erc1155BalanceChangeTerms.decode(terms)
    return { token: tokenAddress, account: recipient, tokenId, amount: balance, change: changeOf(changeType) }
  },
  covers: (parent, child) =>
    same(parent.token, child.token) && same(parent.account, child.account) && parent.tokenId === child.tokenId
      ? coversChange(parent, child)
      : wider(`the child measures ${child.token} of ${child.account}; the parent measures another balance`),
  describe: ({ token, account, tokenId, amount, change }, names) =>
    `${named(account, names)} ${change === 'decrease' ? 'loses at most' : 'gains at least'} ${count(amount)} of token ${tokenId} of ${named(token, names)} per execution`,
  reads(terms, context) {
    const parsed = parse(terms)
    return [
      lockRead(context.enforcer, keyOf(parsed, context)),
      balanceOf(parsed.token, parsed.account, parsed.tokenId),
    ]
  },
  before(terms, hook) {
    const parsed = parse(terms)
    const balance = balanceOf(parsed.token, parsed.account, parsed.tokenId)
    return rememberBalance(enforcer, hook, keyOf(parsed, hook), balance)
  },
  after(terms, hook) {
    const parsed = parse(terms)
    demandBalance(enforcer, hook, balanceOf(parsed.token, parsed.account, parsed.tokenId), parsed)
  },
})

function keyOf(terms: ERC1155BalanceChangeTerms, context: { manager: Address; delegationHash: Hex }): Hex {
  const id = numberToHex(terms.tokenId, { size: 32 })
  return hashKey(context.manager, terms.token, terms.account, id, context.delegationHash)
}

function parse(terms: Hex): ERC1155BalanceChangeTerms {
  demand(size(terms) === 105, `${enforcer}:invalid-terms-length`, 'Sign terms of 105 bytes.')
  return {
    change: changeOf(Number(slice(terms, 0, 1))),
    token: addressAt(terms, 1),
    account: addressAt(terms, 21),
    tokenId: word(terms, 41),
    amount: word(terms, 73),
  }
}
