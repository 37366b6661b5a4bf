import { z } from 'zod'
import { BardoError } from '../../errors/BardoError.ts'
import { olderRequestMethod, requestMethod } from './permissionRequest.ts'
import { type ReadGrant, readGrants } from './readGrant.ts'
import { toRecurringRequest } from './recurringRequest.ts'
import { type GrantRequest, readGrantRequests, toOlderRequest, toSignerRequest } from './requestShapes.ts'

/** A JSON-RPC request to a wallet. */
export type WalletRequest = { readonly method: string; readonly params?: unknown }

/** An EIP-1193 wallet. */
export type GrantingWallet = { request(request: WalletRequest): Promise<unknown> }

/** The result of a request for grants. */
export type WalletGrants = {
  /** The wallet's raw answer. */
  readonly answer: unknown
  /** The parsed answer: one grant per request, in order. */
  readonly grants: readonly ReadGrant[]
  /** The request shape that the wallet accepted. */
  readonly shape: RequestShape
}

/**
 * The request shapes of wallets. `current`: `from`, `to`. `signer`: `address`, `signer`, adjustable rules
 * (MetaMask's kernel 0.3 to 0.6). `older`: the expiry as a separate field, with the older method name.
 * `recurring`: the first drafts.
 */
export type RequestShape = 'current' | 'signer' | 'older' | 'recurring'

type Attempt = {
  readonly shape: RequestShape
  readonly method: string
  write(requests: readonly GrantRequest[]): readonly unknown[]
}

const current: Attempt = { shape: 'current', method: requestMethod, write: (requests) => requests }
const signer: Attempt = {
  shape: 'signer',
  method: requestMethod,
  write: (requests) => requests.map(toSignerRequest),
}
const older: readonly Attempt[] = [
  { shape: 'older', method: olderRequestMethod, write: (requests) => requests.map(toOlderRequest) },
  { shape: 'recurring', method: olderRequestMethod, write: (requests) => [toRecurringRequest(requests)] },
]

// Introduced with the current shape: a wallet that has this method accepts `from` and `to`.
const discoveryMethod = 'wallet_getSupportedExecutionPermissions'
// JSON-RPC "method not found", EIP-1193 "unsupported method", EIP-1474 "method not supported".
const methodMissing: ReadonlySet<number | undefined> = new Set([-32601, 4200, -32004])
const invalidParams = -32602
const longestMessage = 200

/**
 * Requests grants from a wallet (ERC-7715), in a request shape that the wallet accepts. If the wallet reports
 * its supported permissions, the current shape is tried first. If the wallet does not know the method or
 * rejects the parameters, the next shape is sent. Every other error is passed on at once, so that an owner
 * who refuses is not asked twice. Check the signed result with `inspectGrant`.
 *
 * @param requests - in the current shape, as `runwayRequests` writes them
 *
 * @example
 * const { grants } = await requestGrants(wallet, runwayRequests(runway, parties))
 */
export async function requestGrants(
  wallet: GrantingWallet,
  requests: readonly unknown[],
): Promise<WalletGrants> {
  const parsed = readGrantRequests(requests)
  const refusals: string[] = []
  const missing = new Set<string>()
  let first: unknown
  for (const { shape, method, write } of await attemptsFor(wallet)) {
    if (missing.has(method)) continue
    const params = written(() => write(parsed))
    if (params instanceof BardoError) {
      refusals.push(`${shape}: cannot express ${params.details.join(', ')}`)
      continue
    }
    try {
      const answer = await wallet.request({ method, params })
      return { answer, grants: readAnswer(answer, parsed.length), shape }
    } catch (error) {
      const code = codeOf(error)
      if (methodMissing.has(code)) missing.add(method)
      else if (code !== invalidParams) throw error
      first ??= error
      refusals.push(`${shape}: ${code} ${messageOf(error)}`)
    }
  }
  throw new BardoError('The wallet accepts no known form of this ERC-7715 request.', {
    code: 'INVALID_INPUT',
    details: refusals,
    remedy: 'Use a wallet that supports these permissions and rules, for example a current MetaMask.',
    docsPath: 'permissions.md#the-runway',
    ...(first !== undefined && { cause: first }),
  })
}

async function attemptsFor(wallet: GrantingWallet): Promise<readonly Attempt[]> {
  try {
    await wallet.request({ method: discoveryMethod, params: [] })
  } catch (error) {
    if (methodMissing.has(codeOf(error))) return [signer, current, ...older]
  }
  return [current, signer, ...older]
}

/** The parameters, or why this shape cannot express the requests. */
function written(write: () => readonly unknown[]): readonly unknown[] | BardoError {
  try {
    return write()
  } catch (error) {
    if (error instanceof BardoError && error.code === 'INVALID_INPUT') return error
    throw error
  }
}

function readAnswer(answer: unknown, wanted: number): readonly ReadGrant[] {
  const grants = readGrants(answer)
  if (grants.length === wanted) return grants
  throw new BardoError('The wallet returned a different number of grants.', {
    code: 'GRANT_MALFORMED',
    details: [`requested: ${wanted}, granted: ${grants.length}`],
    remedy: 'Revoke the signed grants in the wallet, and request again.',
  })
}

function codeOf(error: unknown): number | undefined {
  return z.looseObject({ code: z.number() }).safeParse(error).data?.code
}

/** A wallet's error text, shortened and without control characters. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message.replace(/\p{C}/gu, ' ').slice(0, longestMessage)
}
