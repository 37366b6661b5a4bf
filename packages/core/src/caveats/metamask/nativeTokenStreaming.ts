import { formatMoment } from '../../format/time.ts'
import { nativeTokenStreamingTerms } from '../terms/metamaskTerms.ts'
import { demand, size, word } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coversStream, demandStream, demandWithinStream, type Stream, streamRow } from './stream.ts'
import { view } from './views.ts'
import { ether } from './words.ts'

/** A streamed allowance in wei. */
export type NativeTokenStreamingTerms = Stream

const enforcer = 'NativeTokenStreamingEnforcer'
const streamingAllowances = view('streamingAllowances(address,bytes32)')

/**
 * NativeTokenStreaming: single calls with values up to the amount streamed so far. Calldata is not checked.
 */
export const nativeTokenStreaming = metamaskKind<NativeTokenStreamingTerms>({
  name: 'NativeTokenStreaming',
  countsAlone: true,
  calls: 'single',
  encode: ({ initial, max, perSecond, start }) =>
    nativeTokenStreamingTerms.encode({
      initialAmount: initial,
      maxAmount: max,
      amountPerSecond: perSecond,
      startTime: Number(start),
    }),
  decode(terms) {
    const { initialAmount, maxAmount, amountPerSecond, startTime } = nativeTokenStreamingTerms.decode(terms)
    return { initial: initialAmount, max: maxAmount, perSecond: amountPerSecond, start: BigInt(startTime) }
  },
  covers: coversStream,
  describe: ({ initial, max, perSecond, start }) =>
    `${ether(initial)} at ${formatMoment(start)} and ${ether(perSecond)} more every second, at most ${ether(max)} in total`,
  reads: (_, context) => [streamingAllowances(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [streamingAllowances(row.enforcer, row.manager, row.delegationHash)],
  usage({ max }, row, state) {
    const answer = state.answer(streamingAllowances(row.enforcer, row.manager, row.delegationHash))
    return answer?.ok
      ? { spent: streamRow(answer.data).spent, limit: max, unit: 'native', renews: false }
      : undefined
  },
  before(terms, hook) {
    const { value } = hook.single()
    demand(size(terms) === 128, `${enforcer}:invalid-terms-length`, 'Sign terms of 128 bytes.')
    const signed = {
      initial: word(terms, 0),
      max: word(terms, 32),
      perSecond: word(terms, 64),
      start: word(terms, 96),
    }
    demandStream(enforcer, signed)
    const row = streamingAllowances(hook.enforcer, hook.manager, hook.delegationHash)
    const stored = streamRow(hook.read(row))
    return { read: row, words: demandWithinStream(enforcer, signed, stored, value, hook.timestamp) }
  },
})
