import type {
  CustodyEvent,
  CustodyMode,
  DeferredPosition,
  ErrorCode,
  Outcome,
  PermissionHealth,
  Phase,
  SessionKeyEvent,
  SettledPosition,
} from '@bardo/core'
import type { Address, Hash } from 'viem'
import type { DeathStep, DeathTrigger } from '../death/death.ts'
import type { HeartbeatStep } from '../heartbeat/heartbeatStep.ts'
import type { ObserveReason } from '../recovery/recovery.ts'

/** What a failure looks like to a reader: our own words and code. A stranger's message may hold anything and stays behind. */
export type Failure = {
  readonly code: ErrorCode | 'UNKNOWN'
  readonly message: string
  readonly outcome: Outcome
  /** What would make it pass, in our own words. */
  readonly remedy?: string
}

/** The heart. */
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

/** What it does, and what it is kept from. */
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
  /** A warning; on-chain ones are counted towards `policyViolation`. */
  | {
      readonly name: 'action.refused'
      readonly source: 'policy_violation'
      readonly where: 'runtime' | 'chain'
      readonly intent: string
      readonly failure: Failure
    }
  | { readonly name: 'tool:start'; readonly tool: string; readonly call: string; readonly input: ToolNumbers }
  | { readonly name: 'tool:progress'; readonly tool: string; readonly call: string; readonly note: string }
  | { readonly name: 'tool:end'; readonly tool: string; readonly call: string; readonly output: ToolNumbers }

/** What a tool shows of its input and output: names and plain values. */
export type ToolNumbers = Readonly<Record<string, string | number | bigint | boolean>>

/** Sleep and temper. */
export type InnerEvent =
  | { readonly name: 'dream.began'; readonly number: number }
  | { readonly name: 'dream.ended'; readonly number: number; readonly seconds: number }
  | {
      readonly name: 'mood.published'
      readonly pleasure: number
      readonly arousal: number
      readonly dominance: number
    }

/** What the owner is asked and told. */
export type OwnerEvent =
  | { readonly name: 'owner.requestFiled'; readonly request: string; readonly kind: OwnerRequestKind }
  | { readonly name: 'owner.requestAnswered'; readonly request: string; readonly granted: boolean }
  | {
      readonly name: 'recovery.observing'
      readonly reason: ObserveReason
      readonly attempts: number
      readonly retryAt: number
    }
  | { readonly name: 'recovery.acting'; readonly after: ObserveReason; readonly seconds: number }
  | { readonly name: 'PERMISSION_REVOKED'; readonly reason: string; readonly permissions: readonly Hash[] }
  /** A key was wiped here, by a tool. On the chain its grants stand until the owner ends them. */
  | { readonly name: 'sessionKey.wiped'; readonly address: Address }
  /** A rotation could not go on; it is tried again at the next tick. */
  | { readonly name: 'rotation.stepFailed'; readonly rotation: string; readonly failure: Failure }

/** What only an owner can give. */
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

/** Children. */
export type ReplicantEvent =
  | {
      readonly name: 'replicant.spawned'
      readonly replicant: string
      readonly delegationHash: Hash
      readonly dailyCents: bigint
      readonly expiresAt: bigint
    }
  | { readonly name: 'replicant.ended'; readonly replicant: string; readonly parentDailyCents: bigint }

/** The end. Origin of the first three: spec 000 §7; of the fourth: spec 003. */
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
      /** Each with the reason why it is still there. */
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

/** Birth. */
export type BirthEvent =
  | { readonly name: 'golem.provisioned'; readonly step: number; readonly milliseconds: number }
  | { readonly name: 'golem.summoned'; readonly custody: CustodyMode }
  /** In ERC-8004's registry. */
  | { readonly name: 'identity.registered'; readonly agentId: bigint; readonly wallet: Address }

/**
 * Everything a Golem tells. Plain values only, and no field that a key, a token or a foreign error's message could be
 * put into. Money is in US cents, time in Unix seconds.
 */
export type GolemEvent =
  | ActionEvent
  | BirthEvent
  | CustodyEvent
  | DeathEvent
  | HeartbeatEvent
  | InnerEvent
  | OwnerEvent
  | ReplicantEvent
  | SessionKeyEvent

/** Whose event, and when. */
export type StampedEvent = {
  readonly golem: string
  readonly tick: number
  readonly at: number
  readonly event: GolemEvent
}

/** Where events go. The store implements it, and links each to the one before. */
export type EventSink = { publish(events: readonly StampedEvent[]): Promise<void> }
