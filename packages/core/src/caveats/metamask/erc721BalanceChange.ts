import type { Address, Hex } from 'viem'
import { erc721BalanceChangeTerms } from '../terms/metamaskTerms.ts'
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
import { balanceOf } from './views.ts'
import { count, named, wider } from './words.ts'

/** How one account's balance of one collection may change. */
export type ERC721BalanceChangeTerms = Change & { readonly token: Address; readonly account: Address }

const enforcer = 'ERC721BalanceChangeEnforcer'

/** ERC721BalanceChange: an account loses at most, or gains at least, a number of tokens of a collection. */
export const erc721BalanceChange = metamaskKind<ERC721BalanceChangeTerms>({
  name: 'ERC721BalanceChange',
  locks: true,
  encode: ({ token, account, amount, change }) =>
    erc721BalanceChangeTerms.encode({
      tokenAddress: token,
      recipient: account,
      amount,
      changeType: changeTypes[change],
    }),
  decode(terms) {
    const { tokenAddress, recipient, amount, changeType } = erc721BalanceChangeTerms.decode(terms)
    return { token: tokenAddress, account: recipient, amount, change: changeOf(changeType) }
  },
  covers: (parent, child) =>
    same(parent.token, child.token) && same(parent.account, child.account)
      ? coversChange(parent, child)
      : wider(`the child measures ${child.token} of ${child.account}; the parent measures another balance`),
  describe: ({ token, account, amount, change }, names) =>
    change === 'decrease'
      ? `${named(account, names)} loses at most ${count(amount)} of ${named(token, names)} per execution`
      : `${named(account, names)} gains at least ${count(amount)} of ${named(token, names)} per execution`,
  reads(terms, context) {
    const { token, account } = parse(terms)
    return [lockRead(context.enforcer, keyOf(token, account, context)), balanceOf(token, account)]
  },
  before(terms, hook) {
    const { token, account } = parse(terms)
    return rememberBalance(enforcer, hook, keyOf(token, account, hook), balanceOf(token, account))
  },
  after(terms, hook) {
    const { token, account, ...change } = parse(terms)
    demandBalance(enforcer, hook, balanceOf(token, account), change)
  },
})

function keyOf(token: Address, account: Address, context: { manager: Address; delegationHash: Hex }): Hex {
  return hashKey(context.manager, token, account, context.delegationHash)
}

function parse(terms: Hex): ERC721BalanceChangeTerms {
  demand(size(terms) === 73, `${enforcer}:invalid-terms-length`, 'Sign terms of 73 bytes.')
  return {
    change: changeOf(Number(slice(terms, 0, 1))),
    token: addressAt(terms, 1),
    account: addressAt(terms, 21),
    amount: word(terms, 41),
  }
}
