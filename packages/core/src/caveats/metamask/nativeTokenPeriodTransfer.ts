import { nativeTokenPeriodTransferTerms } from '../terms/metamaskTerms.ts'
import { demand, size, word } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
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
import { view } from './views.ts'
import { ether } from './words.ts'

/** Wei per period. */
export type NativeTokenPeriodTransferTerms = Period

const enforcer = 'NativeTokenPeriodTransferEnforcer'
const periodicAllowances = view('periodicAllowances(address,bytes32)')

/**
 * NativeTokenPeriodTransfer: one call with a value up to a cap that resets at fixed times. Calldata is not
 * checked.
 */
export const nativeTokenPeriodTransfer = metamaskKind<NativeTokenPeriodTransferTerms>({
  name: 'NativeTokenPeriodTransfer',
  countsAlone: true,
  calls: 'single',
  encode: ({ amount, duration, start }) =>
    nativeTokenPeriodTransferTerms.encode({
      periodAmount: amount,
      periodDuration: duration,
      startDate: start,
    }),
  decode: (terms) => signedPeriod(terms, 0),
  covers: coversPeriod,
  describe: (terms) => `at most ${ether(terms.amount)} ${eachPeriod(terms)}, in single calls`,
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
