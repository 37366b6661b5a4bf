import { BardoError } from '@bardo/core'
import { numberToHex, parseUnits } from 'viem'
import { z } from 'zod'
import type { OwnerAsk } from './ownerRequest.ts'

/** A partial approval. */
export type NarrowedRequest = {
  /** In whole tokens, as a decimal string: USDC per day for a runway, the total for a transfer. */
  readonly amount?: string | undefined
  /** The duration from now; only for a runway. */
  readonly days?: number | undefined
}

const daySeconds = 86_400
const usdcDecimals = 6
const periodic = z.looseObject({
  permission: z.looseObject({ data: z.looseObject({ periodAmount: z.templateLiteral(['0x', z.string()]) }) }),
  rules: z.tuple([z.looseObject({ data: z.looseObject({ timestamp: z.number() }) })]),
})

/**
 * Narrows a request to a part. Throws for more than the request, and for a part of an indivisible request.
 *
 * @param facts - the chain's time in seconds, and the decimals of the requested token
 */
export function narrowRequest(
  ask: OwnerAsk,
  less: NarrowedRequest,
  facts: { readonly now: bigint; readonly decimals: number },
): OwnerAsk {
  if (less.amount === undefined && less.days === undefined) return ask
  if (ask.type === 'runway') {
    return { ...ask, requests: ask.requests.map((one) => shorter(one, less, facts.now)) }
  }
  if (ask.type === 'fund' && less.days === undefined)
    return { ...ask, amount: smaller(less.amount, ask.amount, facts.decimals) }
  throw indivisible(ask.type)
}

/** Throws if a part of an indivisible request is given. */
export function requireWhole(kind: string, { amount, days }: NarrowedRequest): void {
  if (amount !== undefined || days !== undefined) throw indivisible(kind)
}

function indivisible(kind: string): BardoError {
  return new BardoError('This request cannot be approved in part.', {
    code: 'INVALID_INPUT',
    details: [`request: ${kind}`],
    remedy:
      kind === 'fund' ? 'Give an amount only; a transfer has no days.' : 'Approve or refuse it as a whole.',
    docsPath: 'requests.md#kinds',
  })
}

function shorter(
  request: Readonly<Record<string, unknown>>,
  { amount, days }: NarrowedRequest,
  now: bigint,
): Readonly<Record<string, unknown>> {
  const parsed = periodic.safeParse(request)
  if (!parsed.success) throw indivisible('runway')
  const { permission, rules } = parsed.data
  const [{ data: requested, ...rule }] = rules
  const periodAmount = smaller(amount, BigInt(permission.data.periodAmount), usdcDecimals)
  const timestamp = days === undefined ? requested.timestamp : Number(now) + days * daySeconds
  if (timestamp > requested.timestamp) throw notLess('days', `${days}`)
  return {
    ...request,
    permission: { ...permission, data: { ...permission.data, periodAmount: numberToHex(periodAmount) } },
    rules: [{ ...rule, data: { ...requested, timestamp } }],
  }
}

function smaller(text: string | undefined, requested: bigint, decimals: number): bigint {
  if (text === undefined) return requested
  const isExact = /^\d{1,30}(\.\d+)?$/.test(text) && (text.split('.')[1]?.length ?? 0) <= decimals
  const amount = isExact ? parseUnits(text, decimals) : 0n
  if (amount > 0n && amount <= requested) return amount
  throw notLess('amount', text)
}

function notLess(what: string, value: string): BardoError {
  return new BardoError('This is not a part of the request.', {
    code: 'INVALID_INPUT',
    details: [`${what}: ${value}`],
    remedy: 'Give more than zero and at most what the request names.',
    docsPath: 'requests.md#kinds',
  })
}
