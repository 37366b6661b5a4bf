import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { formatDuration } from '../../format/duration.ts'
import { formatMoment } from '../../format/time.ts'
import { multiTokenPeriodTerms } from '../terms/metamaskTerms.ts'
import { hashKey } from './balanceChange.ts'
import { addressAt, demand, demandWellFormed, same, size, word } from './bytes.ts'
import { demandTransfer } from './erc20Transfer.ts'
import { metamaskKind, type Single } from './metamaskKind.ts'
import { coversPeriod, demandWithinPeriod, type Period, periodRow } from './period.ts'
import { view } from './views.ts'
import { covered, ether, money, wider } from './words.ts'

/** A period cap for each of several tokens; the zero address is the native currency. */
export type MultiTokenPeriodTerms = { readonly caps: readonly (Period & { readonly token: Address })[] }

const enforcer = 'MultiTokenPeriodEnforcer'
const periodicAllowances = view('periodicAllowances(bytes32)')

/**
 * MultiTokenPeriod: plain transfers of several tokens, each with its own cap; the redeemer selects the cap in
 * `args`.
 */
export const multiTokenPeriod = metamaskKind<MultiTokenPeriodTerms>({
  name: 'MultiTokenPeriod',
  countsAlone: true,
  calls: 'single',
  encode: ({ caps }) =>
    multiTokenPeriodTerms.encode(
      caps.map(({ token, amount, duration, start }) => ({
        token,
        periodAmount: amount,
        periodDuration: Number(duration),
        startDate: Number(start),
      })),
    ),
  decode: (terms) => ({
    caps: multiTokenPeriodTerms.decode(terms).map((config) => ({
      token: config.token,
      amount: config.periodAmount,
      duration: BigInt(config.periodDuration),
      start: BigInt(config.startDate),
    })),
  }),
  covers(parent, child) {
    // The redeemer selects the cap by index, and each index has its own row: compare by index.
    for (const [i, cap] of child.caps.entries()) {
      const above = parent.caps[i]
      if (!above || !same(above.token, cap.token))
        return wider(`cap ${i + 1} limits ${cap.token}; the parent’s limits another token`)
      const coverage = coversPeriod(above, cap)
      if (coverage.type === 'wider') return wider(`cap ${i + 1}: ${coverage.because}`)
    }
    return covered
  },
  describe: ({ caps }, names) =>
    `plain transfers of at most ${caps
      .map(
        ({ token, amount, duration: length, start }) =>
          `${token === zeroAddress ? ether(amount) : money(amount, token, names)} in each ${formatDuration(length)} from ${formatMoment(start)}`,
      )
      .join(', and ')}`,
  reads(terms, context) {
    const index = word(context.args, 0)
    const cap = capAt(terms, index)
    return [periodicAllowances(context.enforcer, keyOf(context, cap.token, index))]
  },
  before(terms, hook) {
    const { token, amount } = transferOf(hook.single())
    demandWellFormed(size(hook.args) >= 32, () => argsRemedy(terms, token))
    const index = word(hook.args, 0)
    const cap = capAt(terms, index)
    demand(
      token === cap.token,
      `${enforcer}:token-mismatch`,
      `Select the cap of ${token} in args; number ${index} is the cap of ${cap.token}.`,
    )
    const row = periodicAllowances(hook.enforcer, keyOf(hook, token, index))
    const stored = periodRow(hook.read(row))
    const signed = { amount: cap.amount, duration: cap.duration, start: cap.start }
    return { read: row, words: demandWithinPeriod(enforcer, signed, stored, amount, hook.timestamp) }
  },
})

/** The index that the redeemer must put into `args`. */
function argsRemedy(terms: Hex, token: Address): string {
  const count = Math.floor(size(terms) / 116)
  const place = Array.from({ length: count }, (_, at) => at).find((at) =>
    same(addressAt(terms, at * 116), token),
  )
  const index = place === undefined ? `a number from 0 to ${count - 1}` : `${place}`
  return `Put the index of the cap for ${token} into the caveat's args as one 32-byte word: ${index}.`
}

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
  demand(value > 0n, `${enforcer}:invalid-zero-value-in-native-transfer`, 'Send a value above zero.')
  return { token: zeroAddress, amount: value }
}

function capAt(terms: Hex, index: bigint): Period & { readonly token: Address } {
  const length = size(terms)
  demand(
    length !== 0 && length % 116 === 0,
    `${enforcer}:invalid-terms-length`,
    'Sign terms that hold a whole number of caps.',
  )
  demand(
    index < BigInt(length / 116),
    `${enforcer}:invalid-token-index`,
    `Put an index from 0 to ${length / 116 - 1} into args.`,
  )
  const at = Number(index) * 116
  return {
    token: addressAt(terms, at),
    amount: word(terms, at + 20),
    duration: word(terms, at + 52),
    start: word(terms, at + 84),
  }
}
