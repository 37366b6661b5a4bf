export type { Action } from './action/action.ts'
export type { CapabilityLedger } from './action/capability.ts'
export type { ConsumeRequest } from './action/consumeCapability.ts'
export type { MintRequest } from './action/mintCapability.ts'
export type { CapabilityPolicy } from './action/policy.ts'
export type { GolemConfig, ModelConfig, Provider } from './config/golemConfig.ts'
export {
  type DayWindow,
  defaultSchedule,
  type HeartbeatSchedule,
} from './config/heartbeatSchedule.ts'
export { type ModelEntry, type ModelList, readModelList } from './config/modelList.ts'
export { type ConfigSources, readGolemConfig, unknownVariables } from './config/readGolemConfig.ts'
export { type Environment, providerNames, splitProvider } from './config/readProvider.ts'
export { routeFrom } from './config/routeFrom.ts'
export { type Secret, secret } from './config/secret.ts'
export { acceptCoSignatures } from './council/acceptCoSignatures.ts'
export { withMembers } from './council/memberKeys.ts'
export { readProposal } from './council/proposal.ts'
export {
  type ProposalFile,
  proposalFile,
  proposalFileSchema,
  readProposalFile,
  type SignatureFile,
  signatureFileSchema,
} from './council/proposalFile.ts'
export { type Progress, proposalProgress } from './council/proposalProgress.ts'
export type { MemberAnswer } from './council/storedAnswers.ts'
export { type BoundedAgent, type BoundedAgentOptions, createBoundedAgent } from './createBoundedAgent.ts'
export type { OfferedDelegation } from './crossGolem/acceptDelegation.ts'
export { activeShared } from './crossGolem/activeShared.ts'
export type { DelegationGift, GivenDelegation } from './crossGolem/giveDelegation.ts'
export { readShared, type SharedDelegation } from './crossGolem/storedDelegations.ts'
export type { DeathPorts, LifeFigures } from './death/runDeath.ts'
export type { Remains } from './death/settlementOf.ts'
export type { GrimoireEntry, Knowledge, Testament } from './death/testament.ts'
export type { Dream } from './dreams/dream.ts'
export { eventToJson, type JsonValue } from './events/eventToJson.ts'
export type {
  ActionEvent,
  BirthEvent,
  CouncilEvent,
  CrossGolemEvent,
  DeathEvent,
  EventSink,
  Failure,
  GolemEvent,
  HeartbeatEvent,
  IdentityEvent,
  InnerEvent,
  OwnerEvent,
  OwnerRequestKind,
  ReplicantEvent,
  StampedEvent,
  ToolNumbers,
} from './events/golemEvent.ts'
export { readRunway } from './funding/readRunway.ts'
export { createGolem, type GolemStatus, type GolemTick, type LivingGolem } from './heartbeat/createGolem.ts'
export { type TickResult, tick } from './heartbeat/tick.ts'
export type { Feeling, Mood, Pad } from './mood/mood.ts'
export {
  type ObserveReason,
  type Observing,
  outageOf,
  type Recovery,
} from './observeOnly/observeOnly.ts'
export { openRuntime, type Runtime, type RuntimeOptions } from './openRuntime.ts'
export type { GolemParts, GolemSettings } from './permission/golemParts.ts'
export type { SignedPermission } from './permission/signedPermission.ts'
export { closePositions } from './positions/closePositions.ts'
export { closingCall } from './positions/closingCall.ts'
export { droppedPositions } from './positions/droppedPositions.ts'
export { leftPositions } from './positions/heldPositions.ts'
export { type PositionJson, positionJson } from './positions/positionJson.ts'
export type { EndedChild } from './replicants/endChild.ts'
export type { ReplicantEnforcers, ReplicantGrant } from './replicants/replicantDelegation.ts'
export type { ReplicantRequest } from './replicants/replicate.ts'
export { type AnswerContext, answerRequest } from './requests/answerRequest.ts'
export { answerUnattended } from './requests/answerUnattended.ts'
export { createDevnetOwner, type DevnetOwnerOptions } from './requests/createDevnetOwner.ts'
export { createOwnerResponder, type OwnerResponderOptions } from './requests/createOwnerResponder.ts'
export { type DescribeContext, describeRequest } from './requests/describeRequest.ts'
export { expireRequests } from './requests/expireRequests.ts'
export { grantAsOwner } from './requests/grantAsOwner.ts'
export { answerGrant, type GrantRequest, readGrantRequest } from './requests/grantRequest.ts'
export { keepPermission } from './requests/keepPermission.ts'
export { type KnownGrant, knownGrants } from './requests/knownGrants.ts'
export type { NarrowedRequest } from './requests/narrowRequest.ts'
export {
  type FedGolem,
  type LeftBehind,
  type MigrationStep,
  type OwnerAnswer,
  type OwnerAsk,
  readOwnerAsk,
} from './requests/ownerRequest.ts'
export type { OwnerResponder } from './requests/ownerResponder.ts'
export { type Regranted, regrant } from './requests/regrant.ts'
export { standingRoots } from './requests/rootExchange.ts'
export { type RunwayEffect, runwayEffect } from './requests/runwayEffect.ts'
export { runwayGrants } from './requests/runwayGrants.ts'
export type { Snapshot } from './snapshot/readSnapshot.ts'
export type { ActResult, Authorized, Senses, TickPorts } from './snapshot/tickPorts.ts'
export {
  type AvoidableStep,
  type Death,
  type DeathPhase,
  type DeathStep,
  type DeathStepResult,
  deathIntentId,
  type Unwound,
} from './state/death.ts'
export { endReplicant, type Family, type Replicant } from './state/family.ts'
export type { GolemState, Pending, Publication } from './state/golemState.ts'
export type { HeartbeatStep } from './state/heartbeatStep.ts'
export { livingChildren, readFamily, type StoredFamily } from './state/storedFamily.ts'
export { boundDecision } from './strategy/boundDecision.ts'
export { dcaStrategy } from './strategy/dcaStrategy.ts'
export type { ModelEndpoint } from './strategy/model/askModel.ts'
export { createModelStrategy, type ModelStrategyOptions } from './strategy/model/createModelStrategy.ts'
export { ruleStrategy } from './strategy/ruleStrategy.ts'
export type { Decision, Holding, Intention, Strategy, View, Wait } from './strategy/strategy.ts'
export { vaultStrategy } from './strategy/vaultStrategy.ts'
export { isPaidFor } from './submission/bundlerOf.ts'
export { custodyChoice } from './summon/custodyChoice.ts'
export { plannedRoot, planSummoning } from './summon/planSummoning.ts'
export { plannedConstitution, readFigures } from './summon/prepareRoot.ts'
export { type Summoned, summonGolem } from './summon/summonGolem.ts'
export type { CustodyChoice, IdentityChoice, Manifest, SummonPlan, Summons } from './summon/summons.ts'
export { assertNoSecret } from './testing/assertNoSecret.ts'
export { type Awake, stayAwake } from './worker/awake.ts'
export { heartbeatAnomaly, missedTicks } from './worker/missedTicks.ts'
export { runWorker, type WorkerOptions } from './worker/runWorker.ts'
export { type GolemFiles, settingsFrom } from './worker/settingsFrom.ts'
export { runWatch, type WatchOptions, watchHeartbeats } from './worker/watchHeartbeats.ts'
