import type { Address } from 'viem'
import { formatMoment } from '../../format/time.ts'
import { erc20StreamingTerms } from '../terms/metamaskTerms.ts'
import { addressAt, demand, same, size, word } from './bytes.ts'
import { demandTransferLength, transferred } from './erc20Transfer.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coversStream, demandStream, demandWithinStream, type Stream, streamRow } from './stream.ts'
import { view } from './views.ts'
import { money, wider } from './words.ts'

/** A streamed allowance in base units of a token. */
export type ERC20StreamingTerms = Stream & { readonly token: Address }

const enforcer = 'ERC20StreamingEnforcer'
const streamingAllowances = view('streamingAllowances(address,bytes32)')

/** ERC20Streaming: plain transfers of one token, up to the amount streamed so far. */
export const erc20Streaming = metamaskKind<ERC20StreamingTerms>({
  name: 'ERC20Streaming',
  countsAlone: true,
  calls: 'single',
  encode: ({ token, initial, max, perSecond, start }) =>
    erc20StreamingTerms.encode({
      tokenAddress: token,
      initialAmount: initial,
      maxAmount: max,
      amountPerSecond: perSecond,
      startTime: Number(start),
    }),
  decode(terms) {
    const { tokenAddress, initialAmount, maxAmount, amountPerSecond, startTime } =
      erc20StreamingTerms.decode(terms)
    return {
      token: tokenAddress,
      initial: initialAmount,
      max: maxAmount,
      perSecond: amountPerSecond,
      start: BigInt(startTime),
    }
  },
  covers: (parent, child) =>
    same(parent.token, child.token)
      ? coversStream(parent, child)
      : wider(`the child limits ${child.token}; the parent limits ${parent.token}`),
  describe: ({ token, initial, max, perSecond, start }, names) =>
    `${money(initial, token, names)} at ${formatMoment(start)} and ${money(perSecond, token, names)} more every second, at most ${money(max, token, names)} in total, as plain transfers`,
  reads: (_, context) => [streamingAllowances(context.enforcer, context.manager, context.delegationHash)],
  usageReads: (_, row) => [streamingAllowances(row.enforcer, row.manager, row.delegationHash)],
  usage({ token, max }, row, state) {
    const answer = state.answer(streamingAllowances(row.enforcer, row.manager, row.delegationHash))
    return answer?.ok
      ? { spent: streamRow(answer.data).spent, limit: max, unit: token, renews: false }
      : undefined
  },
  before(terms, hook) {
    const call = hook.single()
    demandTransferLength(enforcer, call)
    demand(size(terms) === 148, `${enforcer}:invalid-terms-length`, 'Sign terms of 148 bytes.')
    const signed = {
      initial: word(terms, 20),
      max: word(terms, 52),
      perSecond: word(terms, 84),
      start: word(terms, 116),
    }
    demandStream(enforcer, signed)
    const amount = transferred(enforcer, addressAt(terms, 0), call)
    const row = streamingAllowances(hook.enforcer, hook.manager, hook.delegationHash)
    const stored = streamRow(hook.read(row))
    return { read: row, words: demandWithinStream(enforcer, signed, stored, amount, hook.timestamp) }
  },
})
