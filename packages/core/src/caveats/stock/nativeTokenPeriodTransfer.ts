import { createNativeTokenPeriodTransferTerms } from '@metamask/delegation-core'
import { demand, size, word } from './bytes.ts'
import {
  coversPeriod,
  demandWithinPeriod,
  eachPeriod,
  isEndless,
  type Period,
  periodRow,
  signedPeriod,
  spentNow,
} from './period.ts'
import { stockKind } from './stockKind.ts'
import { view } from './views.ts'
import { ether } from './words.ts'

/** Wei in each period of so many seconds. */
export type NativeTokenPeriodTransferTerms = Period

const enforcer = 'NativeTokenPeriodTransferEnforcer'
const periodicAllowances = view('periodicAllowances(address,bytes32)')

/** NativeTokenPeriodTransfer: one call, its value up to a cap that starts over at fixed moments. Calldata is free. */
export const nativeTokenPeriodTransfer = stockKind<NativeTokenPeriodTransferTerms>({
  name: 'NativeTokenPeriodTransfer',
  countsAlone: true,
  calls: 'single',
  encode: ({ amount, duration, start }) =>
    createNativeTokenPeriodTransferTerms({
      periodAmount: amount,
      periodDuration: duration,
      startDate: Number(start),
    }),
  decode: (terms) => signedPeriod(terms, 0),
  covers: coversPeriod,
  describe: (terms) => `at most ${ether(terms.amount)} ${eachPeriod(terms)}, one call at a time`,
  reads: (_, context) => [periodicAllowances(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [periodicAllowances(row.enforcer, row.manager, row.delegationHash)],
  usage(terms, row, state) {
    const answer = state.answer(periodicAllowances(row.enforcer, row.manager, row.delegationHash))
    if (!answer?.ok) return undefined
    const spent = spentNow(periodRow(answer.data), state.timestamp)
    return { spent, limit: terms.amount, unit: 'native', renews: !isEndless(terms) }
  },
  before(terms, hook) {
    const { value } = hook.single()
    demand(size(terms) === 96, `${enforcer}:invalid-terms-length`, 'Sign terms of 96 bytes.')
    const signed = { amount: word(terms, 0), duration: word(terms, 32), start: word(terms, 64) }
    const row = periodicAllowances(hook.enforcer, hook.manager, hook.delegationHash)
    const stored = periodRow(hook.read(row))
    return { read: row, words: demandWithinPeriod(enforcer, signed, stored, value, hook.timestamp) }
  },
})
