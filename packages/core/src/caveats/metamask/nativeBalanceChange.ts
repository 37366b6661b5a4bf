import type { Address, Hex } from 'viem'
import { nativeBalanceChangeTerms } from '../terms/metamaskTerms.ts'
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
import { nativeBalance } from './views.ts'
import { ether, named, wider } from './words.ts'

/** How one account's native balance may change. */
export type NativeBalanceChangeTerms = Change & { readonly account: Address }

const enforcer = 'NativeBalanceChangeEnforcer'

/** NativeBalanceChange: an account loses at most, or gains at least, an amount of native currency. */
export const nativeBalanceChange = metamaskKind<NativeBalanceChangeTerms>({
  name: 'NativeBalanceChange',
  locks: true,
  encode: ({ account, amount, change }) =>
    nativeBalanceChangeTerms.encode({ recipient: account, balance: amount, changeType: changeTypes[change] }),
  decode(terms) {
    const { recipient, balance, changeType } = nativeBalanceChangeTerms.decode(terms)
    return { account: recipient, amount: balance, change: changeOf(changeType) }
  },
  covers: (parent, child) =>
    same(parent.account, child.account)
      ? coversChange(parent, child)
      : wider(`the child measures ${child.account}; the parent measures ${parent.account}`),
  describe: ({ account, amount, change }, names) =>
    change === 'decrease'
      ? `${named(account, names)} loses at most ${ether(amount)} per execution`
      : `${named(account, names)} gains at least ${ether(amount)} per execution`,
  reads(terms, context) {
    return [lockRead(context.enforcer, keyOf(context)), nativeBalance(parse(terms).account)]
  },
  before(terms, hook) {
    const { account } = parse(terms)
    return rememberBalance(enforcer, hook, keyOf(hook), nativeBalance(account))
  },
  after(terms, hook) {
    const { account, ...change } = parse(terms)
    demandBalance(enforcer, hook, nativeBalance(account), change)
  },
})

function keyOf(context: { manager: Address; delegationHash: Hex }): Hex {
  return hashKey(context.manager, context.delegationHash)
}

function parse(terms: Hex): NativeBalanceChangeTerms {
  demand(size(terms) === 53, `${enforcer}:invalid-terms-length`, 'Sign terms of 53 bytes.')
  return {
    change: changeOf(Number(slice(terms, 0, 1))),
    account: addressAt(terms, 1),
    amount: word(terms, 21),
  }
}
