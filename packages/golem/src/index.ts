export { type Action, actionHash } from './capability/action.ts'
export { canonicalJson } from './capability/canonicalJson.ts'
export type { Capability, CapabilityLedger } from './capability/capability.ts'
export { type CommitRequest, commitAction } from './capability/commitAction.ts'
export { type CapabilityPolicy, policyHash } from './capability/policy.ts'
export {
  type PreviewPorts,
  type PreviewRequest,
  previewAction,
  type Simulation,
} from './capability/previewAction.ts'
export { custodyChoice } from './config/custodyChoice.ts'
export type { GolemConfig, ModelConfig, Provider } from './config/golemConfig.ts'
export { type ConfigSources, readGolemConfig } from './config/readGolemConfig.ts'
export type { Environment } from './config/readProvider.ts'
export {
  type AvoidableStep,
  beginDeath,
  type Death,
  type DeathPhase,
  type DeathStep,
  type DeathStepResult,
  deathIntentId,
  deathPhaseOf,
  deathPhases,
  deathSteps,
  requireNotDying,
  type Unwound,
} from './death/death.ts'
export {
  type DeathFacts,
  type DeathTrigger,
  deathTrigger,
  deathTriggers,
  fatalMissedTicks,
  fatalRefusals,
} from './death/deathTrigger.ts'
export { acceptDeath, type DeathPorts, type LifeFigures, runDeath } from './death/runDeath.ts'
export { type Remains, settlementOf } from './death/settlementOf.ts'
export {
  type GrimoireEntry,
  inherit,
  type Knowledge,
  knowledgeKinds,
  mostInherited,
  type Testament,
  writeTestament,
} from './death/testament.ts'
export { awake, confirmDream, type Dream, requireAwake, turnDream, wantsDreaming } from './dreams/dream.ts'
export { eventToJson, type JsonValue } from './events/eventToJson.ts'
export { failureOf } from './events/failureOf.ts'
export type {
  ActionEvent,
  BirthEvent,
  DeathEvent,
  EventSink,
  Failure,
  GolemEvent,
  HeartbeatEvent,
  InnerEvent,
  OwnerEvent,
  OwnerRequestKind,
  ReplicantEvent,
  StampedEvent,
  ToolNumbers,
} from './events/golemEvent.ts'
export { createGuard, type GuardOptions } from './heartbeat/createGuard.ts'
export { type GolemState, newGolem, type Pending, type Publication } from './heartbeat/golemState.ts'
export { type HeartbeatStep, heartbeatSteps } from './heartbeat/heartbeatStep.ts'
export { heartbeatAnomaly, missedTicks } from './heartbeat/missedTicks.ts'
export { type TickResult, tick } from './heartbeat/tick.ts'
export type { ActResult, Guarded, Senses, TickPorts } from './heartbeat/tickPorts.ts'
export {
  type CheckName,
  checkNames,
  type DayWindow,
  defaultSchedule,
  type HeartbeatSchedule,
  isQuiet,
} from './heartbeatFile/heartbeatSchedule.ts'
export { readHeartbeat } from './heartbeatFile/readHeartbeat.ts'
export { listedTool } from './mcp/listedTool.ts'
export { type McpOptions, type ServedMcp, serveMcp } from './mcp/serveMcp.ts'
export { serveMcpStdio } from './mcp/serveMcpStdio.ts'
export {
  calm,
  calmDown,
  type Feeling,
  feel,
  isMoodDue,
  type Mood,
  type Pad,
  shownMood,
} from './mood/mood.ts'
export { type AnswerContext, answerRequest } from './owner/answerRequest.ts'
export { answerUnattended } from './owner/answerUnattended.ts'
export { createDevnetOwner, type DevnetOwnerOptions } from './owner/createDevnetOwner.ts'
export { createOwnerSeat, type OwnerSeatOptions } from './owner/createOwnerSeat.ts'
export { dayOfGas } from './owner/dayOfGas.ts'
export { expireRequests } from './owner/expireRequests.ts'
export { type KnownGrant, knownGrants } from './owner/knownGrants.ts'
export type { Less } from './owner/lessOf.ts'
export {
  type FedGolem,
  type LeftBehind,
  type MigrationStep,
  type OwnerAnswer,
  type OwnerAsk,
  readOwnerAsk,
} from './owner/ownerRequest.ts'
export type { OwnerSeat } from './owner/ownerSeat.ts'
export {
  longestWait,
  type ObserveReason,
  type Observing,
  observe,
  observeReasons,
  outageOf,
  type Recovery,
} from './recovery/recovery.ts'
export {
  addReplicant,
  endReplicant,
  type Family,
  ownDailyCents,
  type Replicant,
} from './replicants/family.ts'
export {
  type ReplicantEnforcers,
  type ReplicantGrant,
  replicantDelegation,
} from './replicants/replicantDelegation.ts'
export { type Charter, loadCharter } from './runtime/charter.ts'
export { createGolem, type GolemStatus, type GolemTick, type LivingGolem } from './runtime/createGolem.ts'
export type { EndedChild } from './runtime/endChild.ts'
export type { GolemParts, GolemSettings, KeySource, KeyVault } from './runtime/golemParts.ts'
export { grantAsOwner } from './runtime/grantAsOwner.ts'
export { answerGrant, type GrantRequest, readGrantRequest } from './runtime/grantRequest.ts'
export { keepPermission, permissionKey } from './runtime/keepPermission.ts'
export { readRunway } from './runtime/readRunway.ts'
export { readWorld, type WorldSeen } from './runtime/readWorld.ts'
export { type Regranted, regrant } from './runtime/regrant.ts'
export type { ReplicantWish } from './runtime/replicate.ts'
export { runWorker, type WorkerOptions, watchHeartbeats } from './runtime/runWorker.ts'
export { sealedKeySource } from './runtime/sealedKeySource.ts'
export { type GolemFiles, settingsFrom } from './runtime/settingsFrom.ts'
export { readFamily, type StoredFamily } from './runtime/storedFamily.ts'
export { type Summoned, summonGolem } from './runtime/summonGolem.ts'
export type { CustodyChoice, IdentityChoice, Summons } from './runtime/summons.ts'
export { assertNoSecret } from './secret/assertNoSecret.ts'
export { type Secret, secret } from './secret/secret.ts'
export { boundDecision } from './strategies/boundDecision.ts'
export { dcaStrategy } from './strategies/dcaStrategy.ts'
export type { ModelEndpoint } from './strategies/model/askModel.ts'
export { createModelStrategy, type ModelStrategyOptions } from './strategies/model/createModelStrategy.ts'
export { ruleStrategy } from './strategies/ruleStrategy.ts'
export type { Decision, Holding, Intention, Strategy, View, Wait } from './strategies/strategy.ts'
export { vaultStrategy } from './strategies/vaultStrategy.ts'
export { callTool, type ToolCallOptions } from './tools/callTool.ts'
export { explainActionTool } from './tools/explainActionTool.ts'
export { findSubject } from './tools/findSubject.ts'
export { getDelegationTree } from './tools/getDelegationTree.ts'
export { getStatus } from './tools/getStatus.ts'
export { revokePermissions } from './tools/revokePermissions.ts'
export { type Stage, stageOf, stages } from './tools/stage.ts'
export {
  guidelinesFor,
  offeredTools,
  type ProfileName,
  profileNames,
  profiles,
  tools,
} from './tools/toolbox.ts'
export type { ToolContext } from './tools/toolContext.ts'
export type {
  AnyTool,
  CapabilityTier,
  Progress,
  RiskLayer,
  ToolCall,
  ToolDefinition,
} from './tools/toolDefinition.ts'
