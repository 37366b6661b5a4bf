import type {
  CustodyEvent,
  CustodyMode,
  DeathTrigger,
  DeferredPosition,
  ErrorCode,
  GasEvent,
  Outcome,
  PermissionHealth,
  Phase,
  RevocationReason,
  SessionKeyEvent,
  SettledPosition,
  SubmissionEvent,
} from '@bardo/core'
import type { Address, Hash } from 'viem'
import type { ObserveReason } from '../observeOnly/observeOnly.ts'
import type { DeathStep } from '../state/death.ts'
import type { HeartbeatStep } from '../state/heartbeatStep.ts'

/**
 * A failure in an event. The message of an error that is not a BardoError may hold anything and is not
 * included.
 */
export type Failure = {
  readonly code: ErrorCode | 'UNKNOWN'
  readonly message: string
  readonly outcome: Outcome
  /** What would make it pass. */
  readonly remedy?: string
}

/** Events of the heartbeat. */
export type HeartbeatEvent =
  | { readonly name: 'heartbeat.ticked'; readonly tick: number; readonly nextTickAt: number }
  | { readonly name: 'heartbeat.stepFailed'; readonly step: HeartbeatStep; readonly failure: Failure }
  | { readonly name: 'heartbeat.anomaly'; readonly missed: number; readonly dueAt: number }
  | {
      readonly name: 'vitals.phaseChanged'
      readonly from: Phase
      readonly to: Phase
      readonly survivalScore: number
    }
  | { readonly name: 'vitals.published'; readonly phase: Phase; readonly survivalScore: number }
  | {
      readonly name: 'permission.health'
      readonly health: PermissionHealth
      readonly warnings: readonly string[]
    }

/** Events of actions, refusals and tools. */
export type ActionEvent =
  | { readonly name: 'action.waited'; readonly because: string }
  | {
      readonly name: 'action.intended'
      readonly intent: string
      readonly summary: string
      readonly valueCents: bigint
    }
  | {
      readonly name: 'action.landed'
      readonly intent: string
      readonly transaction: Hash
      readonly spentCents: bigint
    }
  /** A warning; refusals on the chain count towards `policyViolation`. */
  | {
      readonly name: 'action.refused'
      readonly source: 'policy_violation'
      readonly where: 'runtime' | 'chain'
      readonly intent: string
      readonly failure: Failure
    }
  /** Postponed, not a violation: the price moved, it is too soon, or another execution was first. */
  | { readonly name: 'action.postponed'; readonly intent: string; readonly failure: Failure }
  /** The key drew native currency from the owner's account for its gas. */
  | { readonly name: 'gas.drawn'; readonly amountWei: bigint; readonly transaction: Hash }
  /** Refused previews that were only counted, since a time in Unix seconds. */
  | { readonly name: 'action.refusalsCounted'; readonly count: number; readonly since: number }
  | { readonly name: 'tool:start'; readonly tool: string; readonly call: string; readonly input: ToolNumbers }
  | { readonly name: 'tool:progress'; readonly tool: string; readonly call: string; readonly note: string }
  | { readonly name: 'tool:end'; readonly tool: string; readonly call: string; readonly output: ToolNumbers }

/** The fields of a tool's input and output that events record. */
export type ToolNumbers = Readonly<Record<string, string | number | bigint | boolean>>

/** Events of dreams and mood. */
export type InnerEvent =
  | { readonly name: 'dream.began'; readonly number: number }
  | { readonly name: 'dream.ended'; readonly number: number; readonly seconds: number }
  | {
      readonly name: 'mood.published'
      readonly pleasure: number
      readonly arousal: number
      readonly dominance: number
    }

/** Events of owner requests and recovery. */
export type OwnerEvent =
  | { readonly name: 'owner.requestFiled'; readonly request: string; readonly kind: OwnerRequestKind }
  | { readonly name: 'owner.requestAnswered'; readonly request: string; readonly granted: boolean }
  /** The Golem is dying: nothing more is signed for it or sent to it. */
  | { readonly name: 'owner.requestWithdrawn'; readonly request: string; readonly kind: string }
  | {
      readonly name: 'recovery.observing'
      readonly reason: ObserveReason
      readonly attempts: number
      readonly retryAt: number
    }
  | { readonly name: 'recovery.acting'; readonly after: ObserveReason; readonly seconds: number }
  | {
      readonly name: 'PERMISSION_REVOKED'
      readonly reason: RevocationReason
      readonly permissions: readonly Hash[]
    }
  /**
   * A tool wiped a key in the store. On the chain its delegations stay valid until the owner disables them.
   */
  | { readonly name: 'sessionKey.wiped'; readonly address: Address }
  /** A rotation step failed; the next tick retries it. */
  | { readonly name: 'rotation.stepFailed'; readonly rotation: string; readonly failure: Failure }

/** The kinds of owner requests. */
export type OwnerRequestKind =
  | 'revoke'
  | 'redelegate'
  | 'feed'
  | 'permit'
  | 'grant'
  | 'runway'
  | 'sessionKey'
  | 'policy'
  | 'fund'
  /** No worker ticks the Golem. The owner is informed; nothing is signed or sent. */
  | 'missedTicks'
  /** Co-signers sign it; the owner can only refuse it. */
  | 'cosign'

/** Events of delegations between Golems. */
export type CrossGolemEvent =
  | {
      readonly name: 'delegation.given'
      readonly delegation: Hash
      readonly to: Address
      readonly endsAt: number
    }
  | { readonly name: 'delegation.givenEnded'; readonly delegation: Hash }
  | {
      readonly name: 'delegation.received'
      readonly delegation: Hash
      readonly from: string
      readonly endsAt: number
    }

/** Events of a co-signer: what it answered to another Golem's proposal. */
export type CouncilEvent =
  | { readonly name: 'council.coSigned'; readonly request: string; readonly by: Address }
  | {
      readonly name: 'council.refused'
      readonly request: string
      readonly by: Address
      readonly because: string
    }

/** Events of Replicants. */
export type ReplicantEvent =
  | {
      readonly name: 'replicant.spawned'
      readonly replicant: string
      readonly delegationHash: Hash
      readonly dailyCents: bigint
      readonly expiresAt: bigint
    }
  | { readonly name: 'replicant.ended'; readonly replicant: string; readonly parentDailyCents: bigint }

/** Events of a Golem's death. */
export type DeathEvent =
  | { readonly name: 'DeathProtocolStarted'; readonly trigger: DeathTrigger; readonly vitalityScore: number }
  | {
      readonly name: 'PositionsUnwound'
      readonly positionsExited: number
      readonly positionsLeft: number
      readonly totalRecoveredCents: bigint
      readonly slippageCostCents: bigint
      /** Each with the transaction that closed it. */
      readonly settled: readonly SettledPosition[]
      /** Each with the reason why it is still open. */
      readonly deferred: readonly DeferredPosition[]
    }
  | {
      readonly name: 'DeathCompleted'
      readonly golem: string
      readonly lifetimeTicks: number
      readonly totalCostCents: bigint
      readonly finalNavCents: bigint
    }
  | { readonly name: 'GOLEM_TERMINAL'; readonly golem: string; readonly permissions: readonly Hash[] }
  | { readonly name: 'death.stepImpossible'; readonly step: DeathStep; readonly because: string }

/** Events of a Golem's creation. */
export type BirthEvent =
  | { readonly name: 'golem.provisioned'; readonly step: number; readonly milliseconds: number }
  /** A reorganisation had removed its row from the vitals; it is registered again. */
  | { readonly name: 'golem.registeredAgain' }
  | { readonly name: 'golem.summoned'; readonly custody: CustodyMode }
  /** The owner paused it: it ticks and publishes, and begins no action. */
  | { readonly name: 'golem.paused' }
  | { readonly name: 'golem.resumed'; readonly seconds: number }
  /** Registered in ERC-8004's registry. */
  | { readonly name: 'identity.registered'; readonly agentId: bigint; readonly wallet: Address }

/** Events of a Golem's identity after its registration. */
export type IdentityEvent =
  | { readonly name: 'identity.walletSet'; readonly agentId: bigint; readonly wallet: Address }
  | { readonly name: 'identity.attested'; readonly owner: Address }
  | { readonly name: 'identity.deposited'; readonly agentId: bigint; readonly guardian: Address | undefined }
  | {
      readonly name: 'identity.transferAnnounced'
      readonly agentId: bigint
      readonly to: Address
      readonly readyAt: bigint
    }
  | { readonly name: 'identity.transferCancelled'; readonly agentId: bigint; readonly by: Address }
  | { readonly name: 'identity.transferCompleted'; readonly agentId: bigint; readonly to: Address }

/**
 * All events of a Golem. Plain values only, with no field for a key, a token or the message of a foreign
 * error.
 * `eventToJson` cleans and redacts every text. Money is in US cents, time in Unix seconds.
 */
export type GolemEvent =
  | ActionEvent
  | BirthEvent
  | CustodyEvent
  | DeathEvent
  | GasEvent
  | HeartbeatEvent
  | IdentityEvent
  | InnerEvent
  | OwnerEvent
  | ReplicantEvent
  | CrossGolemEvent
  | CouncilEvent
  | SessionKeyEvent
  | SubmissionEvent

/** An event with its Golem and time. */
export type StampedEvent = {
  readonly golem: string
  readonly tick: number
  readonly at: number
  readonly event: GolemEvent
}

/** The destination of events. The store implements it, and links each event to the previous one. */
export type EventSink = { publish(events: readonly StampedEvent[]): Promise<void> }
