import { formatDollars, isoTime } from '@bardo/core'
import type { ExposureJson, SumJson } from './exposureJson.ts'

/** The subjects of the sentences: one permission or Golem, or all Golems of an owner. */
export type ExposureSubject = 'one' | 'all'

/** The three sums as sentences: the next 24 hours, until the end, and what a thief of the keys can take. */
export function exposureText(exposure: ExposureJson, subject: ExposureSubject): readonly string[] {
  const { nextDay, untilTheEnd, endsAt, ifStolen, notIncluded } = exposure
  const account = subject === 'one' ? 'your account' : 'your accounts'
  const end =
    endsAt === null
      ? 'the end'
      : isoTime(endsAt)
          .replace('T', ' ')
          .replace(/:\d\dZ$/, ' UTC')
  const thief = subject === 'one' ? 'If its key is stolen' : 'If all keys are stolen'
  return [
    outflowText(nextDay, account, 'in the next 24 hours'),
    outflowText(untilTheEnd, account, `until ${end}`),
    `${thief}, you lose ${lossText(ifStolen)} in 24 hours${causesOf(ifStolen.causes)}, until you revoke.`,
    ...(ifStolen.assumes.length > 0
      ? [
          `This assumes that ${ifStolen.assumes.map((each) => assumptions[each] ?? each).join(' and that ')}. Otherwise you lose ${lossText(ifStolen.otherwise)}.`,
        ]
      : []),
    ...notIncluded.map((part) => `Not included: ${part}.`),
  ]
}

function outflowText(sum: SumJson, account: string, when: string): string {
  return sum.cents === null
    ? `There is NO LIMIT on what leaves ${account} ${when}: ${sum.unboundedBecause.join('; ')}.`
    : `At most ${formatDollars(sum.cents)} leaves ${account} ${when}.`
}

function lossText({ cents }: SumJson): string {
  return cents === null ? 'everything' : `at most ${formatDollars(cents)}`
}

function causesOf(causes: ExposureJson['ifStolen']['causes']): string {
  const named = causes.map(({ type, bps, cents }) => {
    const words = causeWords[type] ?? type
    if (cents !== undefined) return `${formatDollars(cents)} of ${words}`
    return bps === undefined ? words : `${bps / 100} % ${words}`
  })
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}

const causeWords: Readonly<Record<string, string>> = {
  slippage: 'slippage',
  poolPrice: 'off the price of a pool',
  noSlippageLimit: 'no limit on slippage',
  noPoolPriceLimit: 'no limit on the price of a pool',
  gas: 'gas',
  transfer: 'transfers',
  ownPayee: 'payments to the key',
  vaultRate: 'vaults at a moved rate',
  shares: 'shares down to their signed floor',
}

const assumptions: Readonly<Record<string, string>> = {
  payee: 'no signed payee is the thief',
  method: 'the signed contracts are not the thief’s',
}
