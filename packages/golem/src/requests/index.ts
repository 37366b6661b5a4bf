export { requirePermit } from './acceptPermit.ts'
export { sessionKeyEntry } from './acceptSessionKey.ts'
export { answerRequest } from './answerRequest.ts'
export { answerUnattended } from './answerUnattended.ts'
export { areDisabled } from './areDisabled.ts'
export { askedBefore, askOwner, patienceSeconds, requireRoom } from './askOwner.ts'
export { createDevnetOwner } from './createDevnetOwner.ts'
export { createOwnerResponder } from './createOwnerResponder.ts'
export { describeRequest } from './describeRequest.ts'
export { expireRequests } from './expireRequests.ts'
export { gasForADay, mostGas } from './gasForADay.ts'
export { readGrantRequest } from './grantRequest.ts'
export { knownGrants, sessionKeyPrefix } from './knownGrants.ts'
export { namesOf } from './namesOf.ts'
export type { NarrowedRequest } from './narrowRequest.ts'
export {
  type FedGolem,
  type LeftBehind,
  type MigrationStep,
  type OwnerAsk,
  readAskOf,
  readOwnerAsk,
} from './ownerRequest.ts'
export { type MigrationPlan, migrationHash, planMigration } from './planMigration.ts'
export { isRegranting, regrant } from './regrant.ts'
export type { RequestContext } from './requestContext.ts'
export { requireNoRunway, runwayConflict } from './requireNoRunway.ts'
export { requireReceiver } from './requireReceiver.ts'
export { runwayEffect } from './runwayEffect.ts'
export { needsConfirmation } from './runwayGuard.ts'
export { runwayTerms } from './runwayTerms.ts'
