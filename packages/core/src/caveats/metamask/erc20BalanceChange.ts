import type { Address, Hex } from 'viem'
import { erc20BalanceChangeTerms } from '../terms/metamaskTerms.ts'
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
import { money, named, wider } from './words.ts'

/** How one account's balance of one token may change. */
export type ERC20BalanceChangeTerms = Change & { readonly token: Address; readonly account: Address }

const enforcer = 'ERC20BalanceChangeEnforcer'

/** ERC20BalanceChange: an account loses at most, or gains at least, an amount of a token. */
export const erc20BalanceChange = metamaskKind<ERC20BalanceChangeTerms>({
  name: 'ERC20BalanceChange',
  locks: true,
  encode: ({ token, account, amount, change }) =>
    erc20BalanceChangeTerms.encode({
      tokenAddress: token,
      recipient: account,
      balance: amount,
      changeType: changeTypes[change],
    }),
  decode(terms) {
    const { tokenAddress, recipient, balance, changeType } = erc20BalanceChangeTerms.decode(terms)
    return { token: tokenAddress, account: recipient, amount: balance, change: changeOf(changeType) }
  },
  covers: (parent, child) =>
    same(parent.token, child.token) && same(parent.account, child.account)
      ? coversChange(parent, child)
      : wider(`the child measures ${child.token} of ${child.account}; the parent measures another balance`),
  describe: ({ token, account, amount, change }, names) =>
    change === 'decrease'
      ? `${named(account, names)} loses at most ${money(amount, token, names)} per execution`
      : `${named(account, names)} gains at least ${money(amount, token, names)} per execution`,
  reads(terms, context) {
    const { token, account } = parse(terms)
    return [lockRead(context.enforcer, keyOf(token, context)), balanceOf(token, account)]
  },
  before(terms, hook) {
    const { token, account } = parse(terms)
    return rememberBalance(enforcer, hook, keyOf(token, hook), balanceOf(token, account))
  },
  after(terms, hook) {
    const { token, account, ...change } = parse(terms)
    demandBalance(enforcer, hook, balanceOf(token, account), change)
  },
})

function keyOf(token: Address, context: { manager: Address; delegationHash: Hex }): Hex {
  return hashKey(context.manager, token, context.delegationHash)
}

function parse(terms: Hex): ERC20BalanceChangeTerms {
  demand(size(terms) === 73, `${enforcer}:invalid-terms-length`, 'Sign terms of 73 bytes.')
  return {
    change: changeOf(Number(slice(terms, 0, 1))),
    token: addressAt(terms, 1),
    account: addressAt(terms, 21),
    amount: word(terms, 41),
  }
}
