import type {
  Erc20TokenPeriodicPermission,
  NativeTokenPeriodicPermission,
  PermissionRequest,
} from '@metamask/7715-permission-types'
import { type Address, numberToHex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import { daySeconds } from '../planLimits.ts'
import type { RunwayPlan } from '../strategy/compileStrategy.ts'

/** The ERC-7715 method of current wallets. */
export const requestMethod = 'wallet_requestExecutionPermissions'
/** Its first name, with a different request shape. */
export const olderRequestMethod = 'wallet_grantPermissions'

/** A request that Bardo makes. */
export type RunwayRequest = PermissionRequest<Erc20TokenPeriodicPermission | NativeTokenPeriodicPermission>

/** The source and the recipient of a runway. */
export type RunwayParties = {
  readonly chainId: number
  /** The owner's account. If omitted, the wallet asks the owner. */
  readonly from?: Address
  /**
   * The account that may draw: the session account or the cage account. Never a plain key, which has no Cage.
   */
  readonly to: Address
  readonly usdc: Address
  /** Unix seconds. */
  readonly now: bigint
}

// USDC has six decimals: a cent is 10^4 base units.
const usdcPerCent = 10_000n

/**
 * A runway as two requests: USDC per day, and native currency for gas per day.
 *
 * @example
 * const [usdcADay, gasADay] = runwayRequests(compiled.runway, { chainId, from: owner, to: account, usdc, now
 * })
 */
export function runwayRequests(
  runway: RunwayPlan,
  parties: RunwayParties,
): readonly [RunwayRequest, RunwayRequest] {
  const { chainId, from, to, usdc, now } = parties
  if (runway.expiry <= now) {
    throw new BardoError('The runway ends before it starts.', {
      code: 'INVALID_INPUT',
      details: [`it ends at ${runway.expiry}; the time is ${now}`],
    })
  }
  const base = {
    chainId: numberToHex(chainId),
    ...(from && { from }),
    to,
    rules: [{ type: 'expiry', data: { timestamp: Number(runway.expiry) } }],
  }
  const period = { periodDuration: daySeconds, startTime: Number(now) }
  return [
    {
      ...base,
      permission: {
        type: 'erc20-token-periodic',
        isAdjustmentAllowed: true,
        data: {
          ...period,
          tokenAddress: usdc,
          periodAmount: numberToHex(runway.usdcCentsPerDay * usdcPerCent),
          justification: 'Daily operating budget of the Golem.',
        },
      },
    },
    {
      ...base,
      permission: {
        type: 'native-token-periodic',
        isAdjustmentAllowed: true,
        data: {
          ...period,
          periodAmount: numberToHex(runway.gasWeiPerDay),
          justification: 'Daily gas budget of the Golem.',
        },
      },
    },
  ]
}
