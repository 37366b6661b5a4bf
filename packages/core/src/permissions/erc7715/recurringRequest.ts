import { type Address, numberToHex } from 'viem'
import { z } from 'zod'
import { BardoError } from '../../errors/BardoError.ts'
import type { RunwayRequest } from './permissionRequest.ts'
import { type ReadPermission, readRequest } from './readGrant.ts'

/** A request in the shape of ERC-7715's first drafts: several recurring allowances for one key, with one expiry. */
export type RecurringRequest = {
  readonly chainId: `0x${string}`
  readonly address: Address
  readonly expiry: number
  readonly signer: { readonly type: 'key'; readonly data: { readonly id: Address } }
  readonly permissions: readonly RecurringPermission[]
}

/** One allowance of it. */
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
// Strict all the way down: a field that nobody reads could be a bound that nobody keeps.
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

/** Reads such a request: one permission for each allowance. Unknown fields are refused. */
export function readRecurringRequest(value: unknown): readonly ReadPermission[] {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    throw new BardoError('This is no request of recurring allowances.', {
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

/** Writes requests in that shape. They must be of one account, one key, one chain and one expiry; the start has no place. */
export function toRecurringRequest(requests: readonly RunwayRequest[]): RecurringRequest {
  const heads = requests.map(({ chainId, from, to, rules = [] }) => {
    const expiry: unknown = rules?.find(({ type }) => type === 'expiry')?.data['timestamp']
    const others = rules?.filter(({ type }) => type !== 'expiry') ?? []
    if (!from || typeof expiry !== 'number' || others.length > 0) throw unfit('from, expiry or rules')
    return { chainId, address: from, expiry, to }
  })
  const [head] = heads
  if (!head) throw unfit('no request')
  const same = heads.every(
    ({ chainId, address, expiry, to }) =>
      chainId === head.chainId && address === head.address && expiry === head.expiry && to === head.to,
  )
  if (!same) throw unfit('several accounts, keys, chains or expiries')
  const { to, ...rest } = head
  return {
    ...rest,
    signer: { type: 'key', data: { id: to } },
    permissions: requests.map(({ permission }): RecurringPermission => {
      const { periodAmount, periodDuration } = permission.data
      const data = { allowance: numberToHex(BigInt(periodAmount)), period: periodDuration }
      return permission.type === 'erc20-token-periodic'
        ? {
            type: 'erc20-recurring-allowance',
            data: { token: permission.data.tokenAddress, ...data },
          }
        : { type: 'native-token-recurring-allowance', data }
    }),
  }
}

function unfit(what: string) {
  return new BardoError('These requests do not fit into one of recurring allowances.', {
    code: 'INVALID_INPUT',
    details: [what],
  })
}
