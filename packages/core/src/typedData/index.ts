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
export { type GolemRegistration, golemRegistrationTypedData } from './golemRegistration.ts'
