import { maxUint256, numberToHex } from 'viem'
import { z } from 'zod'
import { address, positiveAmount, quantity } from '../rpcTypes.ts'

const secondsPerDay = 86_400

/** The periods on MetaMask's screen: hour, day, week, two weeks, 30 days, 365 days. */
const offeredPeriods = [
  3_600,
  secondsPerDay,
  7 * secondsPerDay,
  14 * secondsPerDay,
  30 * secondsPerDay,
  365 * secondsPerDay,
]

const longestPeriod = 10 * 365 * secondsPerDay
const longestJustification = 300

// A grant is returned to the page with its amounts in the shortest hex, as MetaMask does.
const amount = positiveAmount.transform((value) => numberToHex(value))
const tokenAddress = address.refine((value) => !/^0x0+$/.test(value), 'must not be the zero address')
const periodDuration = z
  .int()
  .positive()
  .max(longestPeriod, 'must be at most 10 years')
  .transform(nearestOfferedPeriod)

const justification = z
  .string()
  .max(longestJustification)
  // Shown on the owner's screen beside the amounts: no markup or control characters.
  .regex(/^[^<>{}[\]"`\p{C}]*$/u, 'must be plain text')
  .nullish()
  .transform((text) => text?.trim() || 'No reason was given.')

/**
 * The permissions of ERC-7715 that MetaMask grants, with defaults for what the page omitted. `now` is the
 * block time.
 */
export function permissionSchema(now: number) {
  const startTime = z
    .int()
    .positive()
    .nullish()
    .transform((time) => time ?? now)
    .refine((time) => time >= now - (now % secondsPerDay), 'must be today or later')

  const stream = {
    initialAmount: quantity.nullish().transform((value) => numberToHex(value ?? 0n)),
    maxAmount: positiveAmount.nullish().transform((value) => numberToHex(value ?? maxUint256)),
    amountPerSecond: amount,
    startTime,
    justification,
  }
  const periodic = { periodAmount: amount, periodDuration, startTime, justification }
  const allowance = { allowanceAmount: amount, startTime, justification }
  const revocation = {
    erc20Approve: z.boolean(),
    erc721Approve: z.boolean(),
    erc721SetApprovalForAll: z.boolean(),
    permit2Approve: z.boolean(),
    permit2Lockdown: z.boolean(),
    permit2InvalidateNonces: z.boolean(),
    justification,
  }

  return z.discriminatedUnion(
    'type',
    [
      permission('native-token-stream', z.object(stream).refine(growsBeyondStart, startsTooHigh)),
      permission('native-token-periodic', z.object(periodic)),
      permission('native-token-allowance', z.object(allowance)),
      permission(
        'erc20-token-stream',
        z.object({ ...stream, tokenAddress }).refine(growsBeyondStart, startsTooHigh),
      ),
      permission('erc20-token-periodic', z.object({ ...periodic, tokenAddress })),
      permission('erc20-token-allowance', z.object({ ...allowance, tokenAddress })),
      permission(
        'token-approval-revocation',
        z.object(revocation).refine(revokesSomething, 'must revoke something'),
      ),
    ],
    'the wallet does not grant this type',
  )
}

/** A permission ready to be signed. */
export type GrantablePermission = z.output<ReturnType<typeof permissionSchema>>

export type PermissionType = GrantablePermission['type']

function permission<type extends string, data extends z.ZodType>(type: type, data: data) {
  return z.object({ type: z.literal(type), isAdjustmentAllowed: z.boolean(), data })
}

const startsTooHigh = { path: ['maxAmount'], message: 'must be greater than initialAmount' }

function growsBeyondStart({ initialAmount, maxAmount }: { initialAmount: string; maxAmount: string }) {
  return BigInt(maxAmount) > BigInt(initialAmount)
}

function revokesSomething(data: Record<string, unknown>) {
  return Object.values(data).includes(true)
}

/**
 * The period that is granted for a requested one. MetaMask offers six periods and silently takes the nearest,
 * so "100 every two days" becomes "100 every day": a page must read what was granted.
 *
 * @example
 * nearestOfferedPeriod(2 * 86_400) // 86_400
 */
function nearestOfferedPeriod(seconds: number): number {
  return offeredPeriods.reduce((nearest, offered) =>
    Math.abs(offered - seconds) < Math.abs(nearest - seconds) ? offered : nearest,
  )
}
