import { z } from 'zod'

const olderRequest = z.object({
  chainId: z.unknown(),
  address: z.unknown().optional(),
  expiry: z.unknown().optional(),
  signer: z.object({ type: z.literal('account'), data: z.object({ address: z.unknown() }) }),
  permission: z.looseObject({ isAdjustmentAllowed: z.boolean().optional() }),
})

/**
 * `wallet_grantPermissions` is the method's first name, and its requests had another shape: the grantee was the
 * "signer", the account had no better name, and the expiry stood by itself. Anything else is passed on as it is.
 */
export function fromOlderGrantRequest(request: unknown): unknown {
  const parsed = olderRequest.safeParse(request)
  if (!parsed.success) return request
  const { chainId, address, expiry, signer, permission } = parsed.data
  return {
    chainId,
    from: address,
    to: signer.data.address,
    permission: { isAdjustmentAllowed: true, ...permission },
    rules: expiry === undefined ? [] : [{ type: 'expiry', data: { timestamp: expiry } }],
  }
}
