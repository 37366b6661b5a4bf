import type { Address } from 'viem'
import { erc20PeriodTransferTerms } from '../terms/metamaskTerms.ts'
import { addressAt, demand, same, size, word } from './bytes.ts'
import { demandTransferLength, transferred } from './erc20Transfer.ts'
import { metamaskKind } from './metamaskKind.ts'
import {
  coversPeriod,
  demandWithinPeriod,
  eachPeriod,
  isEndless,
  periodRow,
  signedPeriod,
  spentNow,
} from './period.ts'
import { view } from './views.ts'
import { money, wider } from './words.ts'

/** Base units of a token per period. */
export type ERC20PeriodTransferTerms = {
  readonly token: Address
  readonly amount: bigint
  readonly duration: bigint
  readonly start: bigint
}

const enforcer = 'ERC20PeriodTransferEnforcer'
const periodicAllowances = view('periodicAllowances(address,bytes32)')

/** ERC20PeriodTransfer: plain transfers of one token, up to a cap that resets at fixed times. */
export const erc20PeriodTransfer = metamaskKind<ERC20PeriodTransferTerms>({
  name: 'ERC20PeriodTransfer',
  countsAlone: true,
  calls: 'single',
  encode: ({ token, amount, duration, start }) =>
    erc20PeriodTransferTerms.encode({
      tokenAddress: token,
      periodAmount: amount,
      periodDuration: duration,
      startDate: start,
    }),
  decode: (terms) => ({ token: addressAt(terms, 0), ...signedPeriod(terms, 20) }),
  covers: (parent, child) =>
    same(parent.token, child.token)
      ? coversPeriod(parent, child)
      : wider(`the child limits ${child.token}; the parent limits ${parent.token}`),
  describe: (terms, names) =>
    `at most ${money(terms.amount, terms.token, names)} ${eachPeriod(terms)}, as plain transfers`,
  reads: (_, context) => [periodicAllowances(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [periodicAllowances(row.enforcer, row.manager, row.delegationHash)],
  usage(terms, row, state) {
    const answer = state.answer(periodicAllowances(row.enforcer, row.manager, row.delegationHash))
    if (!answer?.ok) return undefined
    const spent = spentNow(periodRow(answer.data), state.timestamp)
    return { spent, limit: terms.amount, unit: terms.token, renews: !isEndless(terms) }
  },
  before(terms, hook) {
    const call = hook.single()
    demandTransferLength(enforcer, call)
    demand(size(terms) === 116, `${enforcer}:invalid-terms-length`, 'Sign terms of 116 bytes.')
    const amount = transferred(enforcer, addressAt(terms, 0), call)
    const signed = { amount: word(terms, 20), duration: word(terms, 52), start: word(terms, 84) }
    const row = periodicAllowances(hook.enforcer, hook.manager, hook.delegationHash)
    const stored = periodRow(hook.read(row))
    return { read: row, words: demandWithinPeriod(enforcer, signed, stored, amount, hook.timestamp) }
  },
})
