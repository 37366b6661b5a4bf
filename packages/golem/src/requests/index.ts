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
export { gasForADay, mostGas, mostGasWei } from './gasForADay.ts'
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
export { ownRow } from './ownRow.ts'
export { type MigrationPlan, migrationHash, planMigration } from './planMigration.ts'
export {
  nextConstitution,
  nextRoot,
  planRegrant,
  type RegrantChange,
  type RegrantPlan,
} from './planRegrant.ts'
export { carryOutPlan, continueRegrant, regrant } from './regrant.ts'
export type { RequestContext } from './requestContext.ts'
export { requireLiving } from './requireLiving.ts'
export { requireNoRunway, runwayConflict } from './requireNoRunway.ts'
export { requireReceiver } from './requireReceiver.ts'
export { onlySigned } from './requireSigned.ts'
export { phaseToRestore, type RestoredPhase, restorePhase } from './restorePhase.ts'
export { exchangeOf, isRegranting } from './rootExchange.ts'
export { runwayEffect } from './runwayEffect.ts'
export { needsConfirmation } from './runwayGuard.ts'
export { runwayTerms } from './runwayTerms.ts'
