import { createERC721BalanceChangeTerms, decodeERC721BalanceChangeTerms } from '@metamask/delegation-core'
import type { Address, Hex } from 'viem'
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
import { stockKind } from './stockKind.ts'
import { balanceOf } from './views.ts'
import { count, named, wider } from './words.ts'

/** What becomes of one account’s balance of one collection. */
export type ERC721BalanceChangeTerms = Change & { readonly token: Address; readonly account: Address }

const enforcer = 'ERC721BalanceChangeEnforcer'

/** ERC721BalanceChange: an account loses at most, or gains at least, so many of a collection. */
export const erc721BalanceChange = stockKind<ERC721BalanceChangeTerms>({
  name: 'ERC721BalanceChange',
  locks: true,
  encode: ({ token, account, amount, change }) =>
    createERC721BalanceChangeTerms({
      tokenAddress: token,
      recipient: account,
      amount,
      changeType: changeTypes[change],
    }),
  decode(terms) {
    const { tokenAddress, recipient, amount, changeType } = decodeERC721BalanceChangeTerms(terms)
    return { token: tokenAddress, account: recipient, amount, change: changeOf(changeType) }
  },
  covers: (parent, child) =>
    same(parent.token, child.token) && same(parent.account, child.account)
      ? coversChange(parent, child)
      : wider(`it is about ${child.token} of ${child.account}, the parent about another balance`),
  describe: ({ token, account, amount, change }, names) =>
    change === 'decrease'
      ? `${named(account, names)} loses at most ${count(amount)} of ${named(token, names)} each time`
      : `${named(account, names)} gains at least ${count(amount)} of ${named(token, names)} each time`,
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
