import { createMultiTokenPeriodTerms, decodeMultiTokenPeriodTerms } from '@metamask/delegation-core'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { hashKey } from './balanceChange.ts'
import { addressAt, demand, demandWellFormed, same, size, word } from './bytes.ts'
import { demandTransfer } from './erc20Transfer.ts'
import { coversPeriod, demandWithinPeriod, type Period, periodRow } from './period.ts'
import { type Single, stockKind } from './stockKind.ts'
import { view } from './views.ts'
import { covered, duration, ether, moment, money, wider } from './words.ts'

/** A period cap for each of several tokens; the zero address is native currency. */
export type MultiTokenPeriodTerms = { readonly caps: readonly (Period & { readonly token: Address })[] }

const enforcer = 'MultiTokenPeriodEnforcer'
const periodicAllowances = view('periodicAllowances(bytes32)')

/** MultiTokenPeriod: plain transfers of several tokens, each with its own cap; the redeemer says which cap in `args`. */
export const multiTokenPeriod = stockKind<MultiTokenPeriodTerms>({
  name: 'MultiTokenPeriod',
  countsAlone: true,
  calls: 'single',
  encode: ({ caps }) =>
    createMultiTokenPeriodTerms({
      tokenConfigs: caps.map(({ token, amount, duration, start }) => ({
        token,
        periodAmount: amount,
        periodDuration: duration,
        startDate: Number(start),
      })),
    }),
  decode: (terms) => ({
    caps: decodeMultiTokenPeriodTerms(terms).tokenConfigs.map((config) => ({
      token: config.token,
      amount: config.periodAmount,
      duration: BigInt(config.periodDuration),
      start: BigInt(config.startDate),
    })),
  }),
  covers(parent, child) {
    // The redeemer picks the cap by its place, and each place has a row of its own: place by place, then.
    for (const [i, cap] of child.caps.entries()) {
      const above = parent.caps[i]
      if (!above || !same(above.token, cap.token))
        return wider(`cap ${i + 1} is about ${cap.token}, the parent’s is not`)
      const coverage = coversPeriod(above, cap)
      if (coverage.is === 'wider') return wider(`cap ${i + 1}: ${coverage.because}`)
    }
    return covered
  },
  describe: ({ caps }, names) =>
    `plain transfers of at most ${caps
      .map(
        ({ token, amount, duration: length, start }) =>
          `${token === zeroAddress ? ether(amount) : money(amount, token, names)} in each ${duration(length)} from ${moment(start)} on`,
      )
      .join(', and ')}`,
  reads(terms, context) {
    const index = word(context.args, 0)
    const cap = capAt(terms, index)
    return [periodicAllowances(context.enforcer, keyOf(context, cap.token, index))]
  },
  before(terms, hook) {
    const { token, amount } = transferOf(hook.single())
    demandWellFormed(size(hook.args) >= 32)
    const index = word(hook.args, 0)
    const cap = capAt(terms, index)
    demand(
      token === cap.token,
      `${enforcer}:token-mismatch`,
      `Name the cap of ${token} in args instead of number ${index}, which is about ${cap.token}.`,
    )
    const row = periodicAllowances(hook.enforcer, keyOf(hook, token, index))
    const stored = periodRow(hook.read(row))
    const signed = { amount: cap.amount, duration: cap.duration, start: cap.start }
    return { read: row, words: demandWithinPeriod(enforcer, signed, stored, amount, hook.timestamp) }
  },
})

function keyOf(context: { manager: Address; delegationHash: Hex }, token: Address, index: bigint): Hex {
  return hashKey(context.manager, token, context.delegationHash, numberToHex(index, { size: 32 }))
}

function transferOf({ target, value, callData }: Single): { token: Address; amount: bigint } {
  if (size(callData) === 68) {
    demand(value === 0n, `${enforcer}:invalid-value-in-erc20-transfer`, 'Send no value with a transfer.')
    demandTransfer(enforcer, callData)
    return { token: target, amount: word(callData, 36) }
  }
  demand(
    size(callData) === 0,
    `${enforcer}:invalid-call-data-length`,
    'Call transfer(address,uint256), or send native currency without calldata.',
  )
  demand(value > 0n, `${enforcer}:invalid-zero-value-in-native-transfer`, 'Send more than nothing.')
  return { token: zeroAddress, amount: value }
}

function capAt(terms: Hex, index: bigint): Period & { readonly token: Address } {
  const length = size(terms)
  demand(
    length !== 0 && length % 116 === 0,
    `${enforcer}:invalid-terms-length`,
    'Sign terms of a whole number of caps.',
  )
  demand(
    index < BigInt(length / 116),
    `${enforcer}:invalid-token-index`,
    `Name one of the ${length / 116} caps in args.`,
  )
  const at = Number(index) * 116
  return {
    token: addressAt(terms, at),
    amount: word(terms, at + 20),
    duration: word(terms, at + 52),
    start: word(terms, at + 84),
  }
}
