import { z } from 'zod'
import { BardoError } from '../../errors/BardoError.ts'

const fields = z.record(z.string(), z.unknown())
const schema = z
  .array(
    z.object({
      chainId: z.string(),
      from: z.string().nullish(),
      to: z.string(),
      permission: z.object({ type: z.string(), isAdjustmentAllowed: z.boolean(), data: fields }),
      rules: z.array(z.object({ type: z.string(), data: fields })).nullish(),
    }),
  )
  .min(1)
  .max(50)

/** A request in the current shape of ERC-7715. */
export type GrantRequest = z.output<typeof schema>[number]

type Signer = { readonly type: 'account'; readonly data: { readonly address: string } }

/**
 * A request for MetaMask's kernel 0.3 to 0.6: the grantee is the "signer", and each rule says whether it is
 * adjustable.
 */
export type SignerRequest = {
  readonly chainId: string
  readonly address?: string
  readonly signer: Signer
  readonly permission: GrantRequest['permission']
  readonly rules: readonly {
    readonly type: string
    readonly isAdjustmentAllowed: boolean
    readonly data: Readonly<Record<string, unknown>>
  }[]
}

/** A request in the shape before that: the expiry is a separate field. */
export type OlderRequest = Omit<SignerRequest, 'rules'> & { readonly expiry?: number }

/** Reads requests in the current shape. Unknown fields are dropped. */
export function readGrantRequests(value: unknown): readonly GrantRequest[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new BardoError('The input is not a list of ERC-7715 requests.', {
    code: 'INVALID_INPUT',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  })
}

/**
 * The same request with a signer. The expiry is adjustable, as it always is on MetaMask's screen.
 *
 * @example
 * await wallet.request({ method: requestMethod, params: [toSignerRequest(request)] })
 */
export function toSignerRequest(request: GrantRequest): SignerRequest {
  requireExpiryAlone(request)
  const rules = (request.rules ?? []).map((rule) => ({ ...rule, isAdjustmentAllowed: true }))
  return { ...signerFields(request), rules }
}

/**
 * The same request for `wallet_grantPermissions`.
 *
 * @example
 * await wallet.request({ method: olderRequestMethod, params: [toOlderRequest(request)] })
 */
export function toOlderRequest(request: GrantRequest): OlderRequest {
  requireExpiryAlone(request)
  const timestamp = request.rules?.find(({ type }) => type === 'expiry')?.data['timestamp']
  return { ...signerFields(request), ...(typeof timestamp === 'number' && { expiry: timestamp }) }
}

function signerFields({ chainId, from, to, permission }: GrantRequest): Omit<SignerRequest, 'rules'> {
  return {
    chainId,
    ...(from && { address: from }),
    signer: { type: 'account', data: { address: to } },
    permission,
  }
}

/**
 * Wallets with these shapes ignore unknown rules and sign without that limit, so no such rule is sent to
 * them.
 */
function requireExpiryAlone({ rules }: GrantRequest): void {
  const others = (rules ?? []).filter(({ type }) => type !== 'expiry')
  if (others.length === 0) return
  throw new BardoError('Older request shapes support no rule except the expiry.', {
    code: 'INVALID_INPUT',
    details: others.map(({ type }) => `the rule ${type}`),
    remedy: 'Send the request in the current shape.',
  })
}
