export {
  type ActionPermit,
  actionPermitRefusal,
  actionPermitTypedData,
  actionPermitTypes,
} from './actionPermit.ts'
export {
  type CladeChallenge,
  cladeChallengeRefusal,
  cladeChallengeTypedData,
  cladeChallengeTypes,
} from './cladeChallenge.ts'
export {
  type ExpectedAttestation,
  type GolemAttestation,
  golemAttestationRefusal,
  golemAttestationTypedData,
  type SignedGolemAttestation,
} from './golemAttestation.ts'
export { type GolemIdentity, golemIdOf } from './golemIdOf.ts'
export { type GolemRegistration, golemRegistrationTypedData } from './golemRegistration.ts'
export { type PhaseReset, phaseResetTypedData } from './phaseReset.ts'
