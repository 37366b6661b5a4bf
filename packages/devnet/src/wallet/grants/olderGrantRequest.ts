import { BardoError, type ReadPermission, readRecurringRequest } from '@bardo/core'
import { numberToHex } from 'viem'
import { z } from 'zod'

const signer = z.object({ type: z.literal('account'), data: z.object({ address: z.unknown() }) })

// The format of MetaMask's kernel 0.3 to 0.6.
const signerRequest = z.object({
  chainId: z.unknown(),
  address: z.unknown().optional(),
  signer,
  permission: z.unknown(),
  rules: z.array(z.looseObject({ isAdjustmentAllowed: z.boolean() })),
})

// Strict: a request with rules has the other format, and no rule may be lost.
const olderRequest = z.strictObject({
  chainId: z.unknown(),
  address: z.unknown().optional(),
  expiry: z.unknown().optional(),
  signer,
  permission: z.looseObject({ isAdjustmentAllowed: z.boolean().optional() }),
})

/** Converts a request with a signer and rules to the current format. Passes anything else on unchanged. */
export function fromSignerRequest(request: unknown): unknown {
  const parsed = signerRequest.safeParse(request)
  if (!parsed.success) return request
  const { chainId, address, signer, permission, rules } = parsed.data
  return {
    chainId,
    from: address,
    to: signer.data.address,
    permission,
    rules: rules.map(({ isAdjustmentAllowed: _, ...rule }) => rule),
  }
}

/**
 * The formats of `wallet_grantPermissions`, the method's first name: a request with a signer and a separate
 * expiry, or several recurring allowances in one request. Passes anything else on unchanged.
 */
export function fromOlderGrantRequest(request: unknown): readonly unknown[] {
  const recurring = readRecurring(request)
  if (recurring) return recurring.map(fromRecurring)
  const parsed = olderRequest.safeParse(request)
  if (!parsed.success) return [fromSignerRequest(request)]
  const { chainId, address, expiry, signer, permission } = parsed.data
  return [
    {
      chainId,
      from: address,
      to: signer.data.address,
      permission: { isAdjustmentAllowed: true, ...permission },
      rules: expiryRule(expiry),
    },
  ]
}

function readRecurring(request: unknown): readonly ReadPermission[] | undefined {
  try {
    return readRecurringRequest(request)
  } catch (error) {
    if (error instanceof BardoError) return undefined
    throw error
  }
}

function fromRecurring({ chainId, from, to, type, data, expiry }: ReadPermission): unknown {
  const { periodAmount, periodDuration, tokenAddress } = data
  return {
    chainId: numberToHex(chainId),
    from,
    to,
    permission: {
      type,
      isAdjustmentAllowed: true,
      data: { tokenAddress, periodDuration, periodAmount: numberToHex(periodAmount ?? 0n) },
    },
    rules: expiryRule(expiry),
  }
}

function expiryRule(timestamp: unknown): readonly unknown[] {
  return timestamp === undefined ? [] : [{ type: 'expiry', data: { timestamp } }]
}
