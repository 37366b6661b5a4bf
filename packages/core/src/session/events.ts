import type { Address, Hash } from 'viem'
import type { CustodyMode } from '../onboarding/custodyMode.ts'
import type { RotationReason } from './rotationPolicy.ts'
import type { Curve } from './sessionKey.ts'

/** Why a key's authority ended, as seen on chain. */
export type RevocationCause =
  | { readonly kind: 'revoked'; readonly transaction: Hash; readonly at: bigint }
  | { readonly kind: 'expired'; readonly at: bigint }
  | { readonly kind: 'exhausted' }

/** The six events of a session key's life. Amounts are in US cents, times in Unix seconds. */
export type SessionKeyEvent =
  | {
      readonly name: 'sessionKey.generated'
      /** A P-256 key is identified by the session account that it signs for. */
      readonly address: Address
      readonly curve: Curve
      readonly expiresAt: bigint
    }
  | {
      readonly name: 'sessionKey.delegationGranted'
      readonly delegationHash: Hash
      readonly caveats: readonly string[]
    }
  | {
      readonly name: 'sessionKey.operationSigned'
      readonly operationHash: Hash
      readonly valueCents: bigint
      readonly remainingCents: bigint
    }
  | {
      readonly name: 'sessionKey.rotationTriggered'
      readonly reason: RotationReason
      readonly oldAddress: Address
      readonly newAddress: Address
    }
  | { readonly name: 'sessionKey.revoked'; readonly cause: RevocationCause }
  | {
      readonly name: 'sessionKey.budgetWarning'
      readonly remainingBps: number
      readonly estimatedOperationsLeft: bigint
    }

/** The five custody events. */
export type CustodyEvent =
  | { readonly name: 'custody.modeSelected'; readonly mode: CustodyMode; readonly owner: Address }
  | {
      readonly name: 'custody.delegationGranted'
      readonly delegationHash: Hash
      readonly caveats: readonly string[]
      readonly expiresAt: bigint
    }
  | {
      readonly name: 'custody.sessionKeyRotated'
      readonly oldAddress: Address
      readonly newAddress: Address
      readonly reason: RotationReason
    }
  | { readonly name: 'custody.delegationRevoked'; readonly delegationHash: Hash; readonly cause: string }
  | {
      readonly name: 'custody.delegationExpiring'
      readonly delegationHash: Hash
      readonly secondsRemaining: bigint
    }

/** A key was swept before it was wiped. `leftWei` remained in it and is lost. */
export type GasEvent = {
  readonly name: 'gas.swept'
  readonly from: Address
  readonly to: Address
  readonly amountWei: bigint
  readonly leftWei: bigint
  readonly transaction: Hash
}
