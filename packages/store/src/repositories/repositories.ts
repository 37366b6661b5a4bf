import type { Clock } from '@bardo/core'
import type { Query } from '../database/database.ts'
import { type Capabilities, createCapabilities } from './capabilities.ts'
import { createDelegations, type Delegations } from './delegations.ts'
import { createGolemStates, type GolemStates } from './golemStates.ts'
import { createGolems, type Golems } from './golems.ts'
import { createGrimoire, type Grimoire } from './grimoire.ts'
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotencyKeys.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createOperations, type Operations } from './operations.ts'
import { createOwnerRequests, type OwnerRequests } from './ownerRequests.ts'
import { createPermissions, type Permissions } from './permissions.ts'
import { createRotations, type Rotations } from './rotations.ts'
import { createSessionBudgets, type SessionBudgets } from './sessionBudgets.ts'
import { createSessionKeys, type SessionKeys } from './sessionKeys.ts'

/** The repositories that can be written together in one transaction. */
export type Repositories = {
  readonly golems: Golems
  readonly delegations: Delegations
  readonly permissions: Permissions
  readonly sessionKeys: SessionKeys
  readonly rotations: Rotations
  readonly sessionBudgets: SessionBudgets
  readonly capabilities: Capabilities
  readonly ownerRequests: OwnerRequests
  readonly idempotencyKeys: IdempotencyKeys
  readonly grimoire: Grimoire
  readonly golemStates: GolemStates
  readonly operations: Operations
  readonly ledger: Ledger
}

/** The repositories on one connection or on a pool. */
export function createRepositories(query: Query, clock: Clock): Repositories {
  return {
    golems: createGolems(query, clock),
    delegations: createDelegations(query, clock),
    permissions: createPermissions(query, clock),
    sessionKeys: createSessionKeys(query, clock),
    rotations: createRotations(query),
    sessionBudgets: createSessionBudgets(query),
    capabilities: createCapabilities(query, clock),
    ownerRequests: createOwnerRequests(query, clock),
    idempotencyKeys: createIdempotencyKeys(query, clock),
    grimoire: createGrimoire(query, clock),
    golemStates: createGolemStates(query),
    operations: createOperations(query),
    ledger: createLedger(query),
  }
}
