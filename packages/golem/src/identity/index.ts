export { type IdentityJson, identityFields, identityJson } from './identityJson.ts'
export { type GolemAgent, type GolemCard, readIdentity } from './readIdentity.ts'
export type { AgentWalletRequest } from './setAgentWallet.ts'
export {
  type AttestationJson,
  attestationFrom,
  attestationSchema,
  readAgentId,
  writeAgentId,
  writeAttestation,
} from './storedIdentity.ts'
