import {
  BardoError,
  caveatRegistry,
  type Deployment,
  type ErrorCode,
  type Explanation,
  hashDelegation,
  isoTime,
  type Outcome,
  type Revert,
} from '@bardo/core'

/** Refusals with their own error code. */
const codes: Readonly<Record<string, ErrorCode>> = {
  CannotUseADisabledDelegation: 'DELEGATION_DISABLED',
  EnforcedPause: 'MANAGER_PAUSED',
  SpendLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
  TotalExceeded: 'SPEND_LIMIT_EXCEEDED',
  GasLimitExceeded: 'SPEND_LIMIT_EXCEEDED',
  AllowanceExceeded: 'SPEND_LIMIT_EXCEEDED',
  SizeExceeded: 'SPEND_LIMIT_EXCEEDED',
  // A vault's shortfall counts as spent.
  BelowFloor: 'SPEND_LIMIT_EXCEEDED',
  NAVExceeded: 'SPEND_LIMIT_EXCEEDED',
  // The name in version 1.
  NavExceeded: 'SPEND_LIMIT_EXCEEDED',
  TooSoon: 'TOO_SOON',
  SlippageExceeded: 'PRICE_MOVED',
  SpotUnfair: 'PRICE_MOVED',
  V3TooLittleReceived: 'PRICE_MOVED',
  FeedStale: 'PRICE_UNUSABLE',
  FeedUnavailable: 'PRICE_UNUSABLE',
  FeedNotPositive: 'PRICE_UNUSABLE',
  SequencerDown: 'PRICE_UNUSABLE',
  PriceNotSupported: 'PRICE_UNUSABLE',
  WindowNotObserved: 'PRICE_UNUSABLE',
  NoLiquidity: 'PRICE_UNUSABLE',
  QuoteNotPositive: 'PRICE_UNUSABLE',
  NoAnswer: 'PRICE_UNUSABLE',
  GolemDreaming: 'GOLEM_DREAMING',
  // A mood calms down by itself.
  MoodOutOfBounds: 'MOOD_OUT_OF_BOUNDS',
  // Another execution of the same transaction ran first.
  AccountBusy: 'RATE_LIMITED',
  LineageBusy: 'RATE_LIMITED',
}

/** Reason strings of callees with the same meaning. */
const reasonCodes: Readonly<Record<string, ErrorCode>> = {
  'Too little received': 'PRICE_MOVED',
  'Price slippage check': 'PRICE_MOVED',
}

function codeOf(revert: Revert): ErrorCode | undefined {
  const { name, text } = revert
  // Before the signed window it is too soon; after it the delegation has expired.
  if (name === 'OutsideWindow') return retryAfterOf(revert) === undefined ? 'DELEGATION_EXPIRED' : 'TOO_SOON'
  return codes[name] ?? reasonCodes[text]
}

/** When a temporary refusal ends: after the required interval, or at the start of the signed window. */
function retryAfterOf({ name, args: [first, second] }: Revert): string | undefined {
  if (typeof first !== 'bigint' || typeof second !== 'bigint') return undefined
  if (name === 'TooSoon') return isoTime(first + second)
  return name === 'OutsideWindow' && first < second ? isoTime(second) : undefined
}

/**
 * An explained refusal as an error: which step, link and caveat, which numbers, and what would make it pass.
 * Undefined if nothing refuses.
 */
export function refusedRedemption(
  { type, links, verdict, redemption }: Explanation,
  { deployment, step, ...rest }: { deployment: Deployment; step: number; outcome: Outcome; cause?: unknown },
): BardoError | undefined {
  if (type === 'pass' || redemption.type !== 'reverted') return undefined
  const { revert, at } = redemption
  const { manager, first } = verdict
  const remedy = (manager.type === 'refuse' ? manager.remedy : first?.remedy) ?? revert.remedy
  const place = at ?? (first ? { type: 'caveat' as const, ...first } : undefined)
  const retryAfter = retryAfterOf(revert)
  const shared = {
    docsPath: 'explain.md',
    ...(remedy && { remedy }),
    ...(retryAfter && { retryAfter }),
    ...rest,
  }
  if (type === 'fails') {
    const target = place?.type === 'execution' ? [`in ${place.target}`] : []
    return new BardoError(`The call itself fails: ${revert.text}. No caveat refuses it.`, {
      code: codeOf(revert) ?? 'TRANSACTION_REVERTED',
      details: [`step ${step}`, ...target],
      ...shared,
    })
  }
  const link = place?.type === 'caveat' ? links[place.link] : undefined
  const caveat = place?.type === 'caveat' ? link?.caveats[place.caveat] : undefined
  const name = caveat && (caveatRegistry(deployment)(caveat.enforcer)?.name ?? caveat.enforcer)
  return new BardoError(`${name ?? 'The manager'} refuses the redemption: ${revert.text}.`, {
    code: codeOf(revert) ?? 'REDEMPTION_REFUSED',
    details:
      link && place?.type === 'caveat'
        ? [`step ${step}, link ${place.link} (${hashDelegation(link)}), caveat ${place.caveat}: ${name}`]
        : [`step ${step}`],
    ...shared,
  })
}

/** A refusal for which only the revert data is available. */
export function refusedUnexplained(revert: Revert, cause: BardoError): BardoError {
  const { text, remedy } = revert
  const retryAfter = retryAfterOf(revert)
  return new BardoError(`The chain refuses the redemption: ${text}.`, {
    code: codeOf(revert) ?? 'REDEMPTION_REFUSED',
    docsPath: 'explain.md',
    outcome: cause.outcome,
    cause,
    ...(remedy && { remedy }),
    ...(retryAfter && { retryAfter }),
  })
}
