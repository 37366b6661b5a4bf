import { type Address, numberToHex } from 'viem'
import { z } from 'zod'
import { BardoError } from '../../errors/BardoError.ts'
import { type ReadPermission, readRequest } from './readGrant.ts'

/**
 * A request in the shape of ERC-7715's first drafts: several recurring allowances for one key, with one
 * expiry.
 */
export type RecurringRequest = {
  readonly chainId: `0x${string}`
  readonly address: Address
  readonly expiry: number
  readonly signer: { readonly type: 'key'; readonly data: { readonly id: Address } }
  readonly permissions: readonly RecurringPermission[]
}

/** One allowance of the request. */
export type RecurringPermission =
  | {
      readonly type: 'erc20-recurring-allowance'
      readonly data: { readonly token: Address; readonly allowance: `0x${string}`; readonly period: number }
    }
  | {
      readonly type: 'native-token-recurring-allowance'
      readonly data: { readonly allowance: `0x${string}`; readonly period: number }
    }

const amounts = { allowance: z.unknown(), period: z.unknown() }
// Strict at every level: an unknown field could be a limit that Bardo would ignore.
const schema = z.strictObject({
  chainId: z.unknown(),
  address: z.unknown(),
  expiry: z.unknown(),
  signer: z.strictObject({ type: z.literal('key'), data: z.strictObject({ id: z.unknown() }) }),
  permissions: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('erc20-recurring-allowance'),
          data: z.strictObject({ token: z.unknown(), ...amounts }),
        }),
        z.strictObject({
          type: z.literal('native-token-recurring-allowance'),
          data: z.strictObject(amounts),
        }),
      ]),
    )
    .min(1)
    .max(50),
})

/**
 * Reads such a request: one permission per allowance. Unknown fields are refused.
 *
 * @example
 * const permissions = readRecurringRequest(JSON.parse(text))
 */
export function readRecurringRequest(value: unknown): readonly ReadPermission[] {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    throw new BardoError('The input is not a request for recurring allowances.', {
      code: 'GRANT_MALFORMED',
      details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
    })
  }
  const { chainId, address, expiry, signer, permissions } = parsed.data
  return permissions.map(({ type, data }) => {
    const period = { periodAmount: data.allowance, periodDuration: data.period }
    return readRequest({
      chainId,
      from: address,
      to: signer.data.id,
      permission:
        type === 'erc20-recurring-allowance'
          ? { type: 'erc20-token-periodic', data: { ...period, tokenAddress: data.token } }
          : { type: 'native-token-periodic', data: period },
      rules: [{ type: 'expiry', data: { timestamp: expiry } }],
    })
  })
}

/**
 * Writes requests in that shape. All must have the same account, key, chain and expiry; the start is not
 * encoded.
 *
 * @example
 * const request = toRecurringRequest(runwayRequests(runway, parties))
 */
export function toRecurringRequest(requests: readonly unknown[]): RecurringRequest {
  const read = requests.map(readRequest)
  const [head] = read
  if (!head) throw unfit('an empty list')
  const { chainId, from, to, expiry } = head
  if (!from || expiry === undefined) throw unfit('a request without account or expiry')
  const isSame = (other: ReadPermission) =>
    other.chainId === chainId && other.from === from && other.to === to && other.expiry === expiry
  if (!read.every(isSame)) throw unfit('several accounts, keys, chains or expiries')
  return {
    chainId: numberToHex(chainId),
    address: from,
    expiry,
    signer: { type: 'key', data: { id: to } },
    permissions: read.map(toRecurringPermission),
  }
}

function toRecurringPermission({
  type,
  data,
  payees,
  redeemers,
  otherRules,
}: ReadPermission): RecurringPermission {
  const { periodAmount, periodDuration, tokenAddress } = data
  if (payees || redeemers || otherRules.length > 0) throw unfit('rules beside the expiry')
  if (periodAmount == null || periodDuration == null) throw unfit(`the type ${type}`)
  const allowance = { allowance: numberToHex(periodAmount), period: periodDuration }
  if (type === 'native-token-periodic') return { type: 'native-token-recurring-allowance', data: allowance }
  if (type === 'erc20-token-periodic' && tokenAddress)
    return { type: 'erc20-recurring-allowance', data: { token: tokenAddress, ...allowance } }
  throw unfit(`the type ${type}`)
}

function unfit(what: string) {
  return new BardoError('These requests cannot be combined into one request for recurring allowances.', {
    code: 'INVALID_INPUT',
    details: [what],
  })
}
