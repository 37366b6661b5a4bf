import type { ReadGrant, ReadPermission } from './readGrant.ts'

/** One difference between a request to a wallet and its grant. */
export type GrantDifference = {
  readonly field: string
  readonly asked: string
  readonly got: string
  readonly direction: 'narrower' | 'wider' | 'other'
}

type Direction = GrantDifference['direction']

const none = 'none'

/**
 * Every difference between a request and its grant. An empty list means granted as requested.
 *
 * @example
 * const [grant] = readGrants(answer)
 * const differences = grant ? compareGrant(readRequest(request), grant) : []
 */
export function compareGrant(asked: ReadPermission, got: ReadGrant | ReadPermission): GrantDifference[] {
  const differences: GrantDifference[] = []
  const say = (field: string, was: unknown, is: unknown, direction: Direction) => {
    if (String(was ?? none) !== String(is ?? none)) {
      differences.push({ field, asked: String(was ?? none), got: String(is ?? none), direction })
    }
  }
  say('chainId', asked.chainId, got.chainId, 'other')
  // If the page named no account, any account matches.
  if (asked.from !== undefined) say('from', asked.from, got.from, 'other')
  say('to', asked.to, got.to, 'other')
  say('permission.type', asked.type, got.type, 'other')
  say('permission.data.tokenAddress', asked.data.tokenAddress, got.data.tokenAddress, 'other')

  const amounts = [
    'periodAmount',
    'allowanceAmount',
    'amountPerSecond',
    'initialAmount',
    'maxAmount',
  ] as const
  for (const name of amounts) {
    const [was, is] = [asked.data[name] ?? undefined, got.data[name] ?? undefined]
    // A wallet fills in omitted fields: an initial amount of zero, and no end.
    if (was === undefined && name === 'initialAmount' && is === 0n) continue
    if (was === undefined && name === 'maxAmount' && is !== undefined && is >= (1n << 256n) - 1n) continue
    say(`permission.data.${name}`, was, is, byAmount(was, is, name === 'maxAmount'))
  }
  const [period, granted] = [asked.data.periodDuration ?? undefined, got.data.periodDuration ?? undefined]
  // The same amount more often is more.
  say('permission.data.periodDuration', period, granted, byAmount(granted, period, false))
  const [start, begins] = [asked.data.startTime ?? undefined, got.data.startTime ?? undefined]
  if (start !== undefined) say('permission.data.startTime', start, begins, byAmount(begins, start, false))
  // The amount streamed since the start can be drawn at once; how much depends on the time.
  else if (got.type.endsWith('-stream')) say('permission.data.startTime', undefined, begins, 'other')

  say('rules.expiry', asked.expiry, got.expiry, byAmount(asked.expiry, got.expiry, true))
  say('rules.payee', list(asked.payees), list(got.payees), bySet(asked.payees, got.payees))
  say('rules.redeemer', list(asked.redeemers), list(got.redeemers), bySet(asked.redeemers, got.redeemers))
  for (const rule of got.otherRules) {
    if (!asked.otherRules.includes(rule)) say(`rules.${rule}`, undefined, 'added', 'other')
  }
  for (const rule of asked.otherRules) {
    if (!got.otherRules.includes(rule)) say(`rules.${rule}`, 'asked', undefined, 'wider')
  }
  return differences
}

/**
 * The maximum that a grant allows per second, times the request's period: whether a rounded period allows
 * more in total.
 *
 * @example
 * allowsMoreOverTime(readRequest(request), grant)
 */
export function allowsMoreOverTime(asked: ReadPermission, got: ReadPermission): boolean | undefined {
  const [was, is] = [asked.data.periodAmount, got.data.periodAmount]
  const [every, now] = [asked.data.periodDuration, got.data.periodDuration]
  if (was == null || is == null || !every || !now) return undefined
  return is * BigInt(every) > was * BigInt(now)
}

/** `open` means that a missing number is the widest. */
function byAmount(
  was: bigint | number | undefined,
  is: bigint | number | undefined,
  open: boolean,
): Direction {
  if (was === undefined || is === undefined)
    return open ? (was === undefined ? 'narrower' : 'wider') : 'other'
  return is < was ? 'narrower' : 'wider'
}

/** Rules that list addresses: fewer addresses allow less, and no rule allows every address. */
function bySet(was: readonly string[] | undefined, is: readonly string[] | undefined): Direction {
  if (was === undefined) return 'narrower'
  if (is === undefined) return 'wider'
  if (is.every((name) => was.includes(name))) return 'narrower'
  return was.every((name) => is.includes(name)) ? 'wider' : 'other'
}

function list(addresses: readonly string[] | undefined): string | undefined {
  return addresses && [...addresses].sort().join(', ')
}
