import type {
  Erc20TokenPeriodicPermission,
  NativeTokenPeriodicPermission,
  PermissionRequest,
} from '@metamask/7715-permission-types'
import { type Address, numberToHex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import { daySeconds } from '../planLimits.ts'
import type { RunwayPlan } from '../strategy/compileStrategy.ts'

/** The method of ERC-7715 as wallets have it now. */
export const requestMethod = 'wallet_requestExecutionPermissions'
/** Its first name, with requests of another shape. */
export const olderRequestMethod = 'wallet_grantPermissions'

/** A request that Bardo makes. */
export type RunwayRequest = PermissionRequest<Erc20TokenPeriodicPermission | NativeTokenPeriodicPermission>

/** Where a runway comes from and goes to. */
export type RunwayParties = {
  readonly chainId: number
  /** The owner's account; left out, the wallet asks its owner which. */
  readonly from?: Address
  /** Who may draw: the session account or the cage account, never a bare key beside a Cage (DESIGN §5). */
  readonly to: Address
  readonly usdc: Address
  /** Unix seconds. */
  readonly now: bigint
}

// USDC has six decimals: a cent is 10^4 of its units.
const usdcPerCent = 10_000n

/** A runway as two requests: USDC by the day, and native currency for gas by the day. */
export function runwayRequests(
  runway: RunwayPlan,
  parties: RunwayParties,
): readonly [RunwayRequest, RunwayRequest] {
  const { chainId, from, to, usdc, now } = parties
  if (runway.expiry <= now) {
    throw new BardoError('The runway would be over before it begins.', {
      code: 'INVALID_INPUT',
      details: [`it ends at ${runway.expiry}, and it is ${now}`],
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
          justification: 'What the Golem lives on, by the day.',
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
          justification: 'Gas for the transactions of the Golem, by the day.',
        },
      },
    },
  ]
}

/** A request in the older shape: the grantee is the "signer", and the expiry stands by itself. */
export type OlderRequest = {
  readonly chainId: `0x${string}`
  readonly address?: `0x${string}`
  readonly expiry?: number
  readonly signer: { readonly type: 'account'; readonly data: { readonly address: `0x${string}` } }
  readonly permission: RunwayRequest['permission']
}

/** The same request for `wallet_grantPermissions`. Rules other than the expiry have no place there, and are refused. */
export function toOlderRequest({ chainId, from, to, permission, rules }: RunwayRequest): OlderRequest {
  const others = (rules ?? []).filter(({ type }) => type !== 'expiry')
  if (others.length > 0) {
    throw new BardoError('The older request cannot carry these rules.', {
      code: 'INVALID_INPUT',
      details: others.map(({ type }) => type),
      remedy: `Use ${requestMethod}.`,
    })
  }
  const timestamp: unknown = rules?.find(({ type }) => type === 'expiry')?.data['timestamp']
  return {
    chainId,
    ...(from && { address: from }),
    ...(typeof timestamp === 'number' && { expiry: timestamp }),
    signer: { type: 'account', data: { address: to } },
    permission,
  }
}
