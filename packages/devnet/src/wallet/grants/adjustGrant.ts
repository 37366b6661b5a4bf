import { numberToHex } from 'viem'
import type { GrantAdjustment } from '../decision.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import type { GrantRequest, grantRequestSchema } from './grantRequestSchema.ts'

/**
 * The request with the owner's changes, checked like a page's request. The page may forbid changes to the
 * permission; the owner can always change the expiry, as on MetaMask's screen, and never the payee, redeemer
 * or token.
 */
export function adjustGrant(
  request: GrantRequest,
  { expiry, ...changes }: GrantAdjustment,
  schema: ReturnType<typeof grantRequestSchema>,
): GrantRequest {
  const { permission, rules } = request
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined)
  if (changed.length > 0 && !permission.isAdjustmentAllowed) {
    throw refused('The page does not allow changes to this permission.')
  }
  const unknown = changed.map(([name]) => name).filter((name) => !(name in permission.data))
  if (unknown.length > 0) throw refused(`A ${permission.type} permission has no ${unknown.join(', ')}.`)

  const data = {
    ...permission.data,
    ...Object.fromEntries(changed.map(([name, value]) => [name, toRpc(value)])),
  }
  const adjusted = schema.safeParse({
    ...request,
    chainId: numberToHex(request.chainId),
    permission: { ...permission, data },
    rules: expiry === undefined ? rules : withExpiry(rules, expiry),
  })
  if (adjusted.success) return adjusted.data
  throw refused(`The owner's changes make the permission invalid: ${adjusted.error.issues[0]?.message}.`)
}

function withExpiry(rules: GrantRequest['rules'], expiry: number | null): GrantRequest['rules'] {
  const others = rules.filter(({ type }) => type !== 'expiry')
  return expiry === null ? others : [...others, { type: 'expiry', data: { timestamp: expiry } }]
}

function toRpc(value: bigint | number) {
  return typeof value === 'bigint' ? numberToHex(value) : value
}

function refused(message: string) {
  return new ProviderRpcError(providerErrorCodes.internal, message)
}
