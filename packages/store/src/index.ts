export type { Audit, AuditHead, AuditReport } from './events/audit.ts'
export type { EventSelection, Events, LatestEvents } from './events/events.ts'
export type { NewEvent, StoredEvent } from './events/storedEvent.ts'
export type { Jobs, JobsOptions, TickRequest } from './jobs/jobs.ts'
export type { Tick, TickWork } from './jobs/runTicks.ts'
export type { Json } from './json/json.ts'
export { openStore, type Store, type StoreOptions, type Transaction } from './openStore.ts'
export type { Capabilities, Capability } from './repositories/capabilities.ts'
export type { DelegationRecord, DelegationRecordState, Delegations } from './repositories/delegations.ts'
export type { GolemStates, Life } from './repositories/golemStates.ts'
export type { Golem, GolemStatus, Golems } from './repositories/golems.ts'
export { type Grimoire, type GrimoireEntry, permissionKey } from './repositories/grimoire.ts'
export type { Claim, IdempotencyKeys } from './repositories/idempotencyKeys.ts'
export type {
  Ledger,
  LedgerPosting,
  LedgerReport,
  LedgerState,
  PostedTransaction,
} from './repositories/ledger.ts'
export type { Operations, PreparedOperation } from './repositories/operations.ts'
export type { OwnerRequest, OwnerRequests } from './repositories/ownerRequests.ts'
export type { PermissionRecord, Permissions } from './repositories/permissions.ts'
export type { Repositories } from './repositories/repositories.ts'
export type { Rotations } from './repositories/rotations.ts'
export type { SessionBudgets, StoredBudget } from './repositories/sessionBudgets.ts'
export type { SessionKeyRecord, SessionKeyStatus, SessionKeys } from './repositories/sessionKeys.ts'
export type { TickRecord, Ticks } from './repositories/ticks.ts'
