import { BardoError, readRequest } from '@bardo/core'
import { numberToHex, parseUnits } from 'viem'
import { z } from 'zod'
import type { OwnerAsk } from './ownerRequest.ts'
import { needsExpressWord, type RunwaySize } from './runwayGuard.ts'

/** A yes to less than was asked for. */
export type Less = {
  /** In whole units of the token, as decimal text: USDC a day for a runway, all of it for money. */
  readonly amount?: string | undefined
  /** From now on; a runway's alone. */
  readonly days?: number | undefined
}

const daySeconds = 86_400
const usdcDecimals = 6
const periodic = z.looseObject({
  permission: z.looseObject({ data: z.looseObject({ periodAmount: z.templateLiteral(['0x', z.string()]) }) }),
  rules: z.tuple([z.looseObject({ data: z.looseObject({ timestamp: z.number() }) })]),
})

/**
 * The same request, for less. More than was asked for, or less of what cannot be divided, is an error.
 *
 * @param facts - the chain's time in seconds, and the decimals of the token that is asked for
 */
export function lessOf(
  ask: OwnerAsk,
  less: Less,
  facts: { readonly now: bigint; readonly decimals: number },
): OwnerAsk {
  if (less.amount === undefined && less.days === undefined) return ask
  if (ask.is === 'runway') {
    const requests = ask.requests.map((one) => shorter(one, less, facts.now))
    return { ...ask, requests, needsOverride: ask.needsOverride && needsExpressWord(requests.map(sizeOf)) }
  }
  if (ask.is === 'fund' && less.days === undefined)
    return { ...ask, amount: smaller(less.amount, ask.amount, facts.decimals) }
  throw indivisible(ask.is)
}

/** Refuses a part of what has none. */
export function requireWhole(kind: string, { amount, days }: Less): void {
  if (amount !== undefined || days !== undefined) throw indivisible(kind)
}

function indivisible(kind: string): BardoError {
  return new BardoError('This cannot be granted in part.', {
    code: 'INVALID_INPUT',
    details: [`it asks for ${kind}`],
    remedy: kind === 'fund' ? 'Give an amount; money has no days.' : 'Say yes or no.',
    docsPath: 'requests.md#kinds',
  })
}

function shorter(
  request: Readonly<Record<string, unknown>>,
  { amount, days }: Less,
  now: bigint,
): Readonly<Record<string, unknown>> {
  const { permission, rules } = periodic.parse(request)
  const [{ data: asked, ...rule }] = rules
  const periodAmount = smaller(amount, BigInt(permission.data.periodAmount), usdcDecimals)
  const timestamp = days === undefined ? asked.timestamp : Number(now) + days * daySeconds
  if (timestamp > asked.timestamp) throw notLess('days', `${days}`)
  return {
    ...request,
    permission: { ...permission, data: { ...permission.data, periodAmount: numberToHex(periodAmount) } },
    rules: [{ ...rule, data: { ...asked, timestamp } }],
  }
}

function sizeOf(request: unknown): RunwaySize {
  const { data, expiry = 0 } = readRequest(request)
  return { daily: data.periodAmount ?? 0n, seconds: expiry - (data.startTime ?? 0) }
}

function smaller(text: string | undefined, asked: bigint, decimals: number): bigint {
  if (text === undefined) return asked
  const isExact = /^\d{1,30}(\.\d+)?$/.test(text) && (text.split('.')[1]?.length ?? 0) <= decimals
  const amount = isExact ? parseUnits(text, decimals) : 0n
  if (amount > 0n && amount <= asked) return amount
  throw notLess('amount', text)
}

function notLess(what: string, given: string): BardoError {
  return new BardoError('That is no part of what was asked for.', {
    code: 'INVALID_INPUT',
    details: [`${what}: ${given}`],
    remedy: 'Give less than the request names, and more than nothing.',
    docsPath: 'requests.md#kinds',
  })
}
