import { BardoError, readRequest, runwayRequests } from '@bardo/core'
import { type Address, isAddressEqual, numberToHex } from 'viem'
import type { FedGolem, OwnerAsk } from './ownerRequest.ts'
import { beyond } from './requireBounded.ts'
import type { RunwaySize } from './runwayGuard.ts'

/** One Golem's runway in numbers. */
export type RunwayTerms = FedGolem &
  RunwaySize & {
    /** Unix seconds. */
    readonly startsAt: number
    readonly expiresAt: number
  }

/** The chain, the owner and the token of a runway. */
export type RunwayParties = {
  readonly chainId: number
  readonly owner: Address
  readonly usdc: Address | undefined
}

const daySeconds = 86_400
const mostGolems = 10

/**
 * Parses a stored runway request. It can only be USDC per day, from the owner into the account of each Golem;
 * anything else
 * throws.
 */
export function runwayTerms(
  { golems, requests }: Pick<Extract<OwnerAsk, { type: 'runway' }>, 'golems' | 'requests'>,
  { chainId, owner, usdc }: RunwayParties,
): readonly RunwayTerms[] {
  if (golems.length === 0 || golems.length > mostGolems || golems.length !== requests.length)
    throw beyond([`${requests.length} requests for ${golems.length} Golems`])
  if (new Set(golems.map(({ golem }) => golem.toLowerCase())).size !== golems.length)
    throw beyond(['a Golem is listed twice'])
  return golems.map((fed, index) => {
    const { type, data, expiry, ...request } = read(requests[index])
    const { tokenAddress, periodAmount, periodDuration, startTime } = data
    const isOwn =
      type === 'erc20-token-periodic' &&
      request.chainId === BigInt(chainId) &&
      (request.from === undefined || isAddressEqual(request.from, owner)) &&
      isAddressEqual(request.to, fed.account) &&
      usdc !== undefined &&
      tokenAddress != null &&
      isAddressEqual(tokenAddress, usdc)
    if (!isOwn) throw beyond(['it is not a daily USDC amount into the Golem’s account'])
    if (request.payees || request.redeemers || request.otherRules.length > 0)
      throw beyond(['it has rules that Bardo’s runways do not have'])
    const isBounded = periodAmount != null && periodAmount > 0n && periodDuration === daySeconds
    if (!isBounded || startTime == null || expiry === undefined || expiry <= startTime)
      throw beyond(['it has no daily amount, or no end'])
    return {
      ...fed,
      daily: periodAmount,
      seconds: expiry - startTime,
      startsAt: startTime,
      expiresAt: expiry,
    }
  })
}

/** The requests for the owner's wallet, built only from the numbers. */
export function walletRequests(
  terms: readonly RunwayTerms[],
  { chainId, owner, usdc }: RunwayParties,
): readonly unknown[] {
  if (!usdc) throw beyond(['USDC is unknown on this chain'])
  return terms.map(({ account: to, daily, startsAt, expiresAt }) => {
    const runway = { usdcCentsPerDay: 0n, gasWeiPerDay: 0n, expiry: BigInt(expiresAt), because: [] }
    const parties = { chainId, from: owner, to, usdc, now: BigInt(startsAt) }
    const [request] = runwayRequests(runway, parties)
    const { permission } = request
    // A partial approval may include a fraction of a cent.
    const data = { ...permission.data, periodAmount: numberToHex(daily) }
    return { ...request, permission: { ...permission, data } }
  })
}

function read(request: unknown): ReturnType<typeof readRequest> {
  try {
    return readRequest(request)
  } catch (error) {
    if (error instanceof BardoError) throw beyond(['the request is unreadable', ...error.details])
    throw error
  }
}
