import type { PermissionRequest, PermissionTypes } from '@metamask/7715-permission-types'
import type { Address, Hex, TypedDataDefinition } from 'viem'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'

/** One call as a page requested it. */
export type RequestedCall = {
  readonly to?: Address | undefined
  readonly data?: Hex | undefined
  readonly value?: bigint | undefined
}

/** What the wallet shows to its owner before it acts in their name. */
export type Prompt =
  | { readonly kind: 'unlock' }
  | { readonly kind: 'connect'; readonly accounts: readonly Address[] }
  | { readonly kind: 'signMessage'; readonly from: Address; readonly message: Hex }
  | { readonly kind: 'signTypedData'; readonly from: Address; readonly typedData: TypedDataDefinition }
  | { readonly kind: 'sendTransaction'; readonly from: Address; readonly call: RequestedCall }
  | {
      readonly kind: 'sendCalls'
      readonly from: Address
      readonly calls: readonly RequestedCall[]
      /** Whether this upgrades the account to a smart account (EIP-7702). */
      readonly upgrade: boolean
    }
  | { readonly kind: 'switchChain'; readonly chainId: number }
  | { readonly kind: 'addChain'; readonly chainId: number; readonly name: string; readonly rpcUrl: string }
  | {
      readonly kind: 'grant'
      readonly from: Address
      readonly request: PermissionRequest<PermissionTypes>
      /** Whether this upgrades the account to a smart account (EIP-7702). */
      readonly upgrade: boolean
    }
  | { readonly kind: 'revoke'; readonly from: Address; readonly context: Hex }

/** What the owner may change in a grant before signing it. `expiry: null` removes the expiry. */
export type GrantAdjustment = {
  readonly periodAmount?: bigint
  readonly periodDuration?: number
  readonly allowanceAmount?: bigint
  readonly amountPerSecond?: bigint
  readonly initialAmount?: bigint
  readonly maxAmount?: bigint
  readonly startTime?: number
  readonly expiry?: number | null
}

/** The owner's decision. `accounts` is only for a `connect` prompt, `adjust` only for a `grant` prompt. */
export type Decision =
  | 'approve'
  | 'reject'
  | { readonly accounts: readonly Address[] }
  | { readonly adjust: GrantAdjustment }

/** Decides for the owner. */
export type Decide = (prompt: Prompt) => Decision | Promise<Decision>

/** Asks the owner. Resolves with their decision; throws if they reject. */
export async function askOwner(decide: Decide, prompt: Prompt): Promise<Exclude<Decision, 'reject'>> {
  const decision = await decide(prompt)
  if (decision === 'reject') {
    throw new ProviderRpcError(providerErrorCodes.userRejected, 'The owner rejected the request.')
  }
  if (decision === 'approve') return decision
  if ('accounts' in decision && prompt.kind === 'connect') return decision
  if ('adjust' in decision && prompt.kind === 'grant') return decision
  throw new ProviderRpcError(
    providerErrorCodes.internal,
    `The decision does not match a "${prompt.kind}" prompt.`,
  )
}
